package io.helenus.storage.lookup;

import java.lang.foreign.MemorySegment;

/** Takes the keys that an index finds, in any order, some of them twice. */
public interface KeyList {
  /** Adds a row, or a whole partition by its prefix ‖ section 1. */
  void add(MemorySegment key, long offset, int length, int prefixLength);

  /** How many keys have been added. */
  int size();

  /** The memory that they take. */
  int bytes();
}
