package io.helenus.storage.memory;

import java.lang.foreign.MemorySegment;

/** Returns the pages of free memory to the system without freeing their addresses. Any thread. */
@FunctionalInterface
public interface PageDiscard {
  /** Keeps the pages: for tests and for systems that cannot discard them. */
  PageDiscard NONE = segment -> {};

  /**
   * Discards the contents of a segment that nothing uses. Its whole pages take no memory until they
   * are written again; until then they read as zeros or as before.
   */
  void discard(MemorySegment segment);
}
