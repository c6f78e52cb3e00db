package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/** Receives the terms of a cell or a key. One thread; the slices are copied. */
@FunctionalInterface
public interface TermSink {
  /**
   * Receives a term: bytes whose unsigned order is the order of the indexed values, and none of
   * which is a prefix of another one of the same index.
   */
  void term(MemorySegment term, long offset, int length);
}
