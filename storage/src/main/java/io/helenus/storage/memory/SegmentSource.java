package io.helenus.storage.memory;

import java.lang.foreign.MemorySegment;

/** Supplies large segments of native memory. */
public interface SegmentSource {
  /**
   * A segment of at least this size, with undefined contents.
   *
   * @throws ShareExhaustedException if the source is limited and this exceeds its limit
   */
  MemorySegment take(long bytes);

  /** Takes back a segment that nothing refers to any more; ignores those of other origin. */
  void giveBack(MemorySegment segment);
}
