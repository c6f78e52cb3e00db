package io.helenus.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The free segments of one size. The most recently freed one is reused first, so that those at the
 * other end have not been needed for longest. A trim discards the pages of those that were not
 * needed since the trim before, one by one, because a discard takes too long for the lock that
 * guards this. Not thread-safe.
 */
final class FreeSegments {
  private final ArrayDeque<MemorySegment> resident = new ArrayDeque<>();
  private final ArrayDeque<MemorySegment> discarded = new ArrayDeque<>();

  /** The smallest number of resident segments since the last trim: those were not needed. */
  private int fewest;

  /** How many resident segments the current trim still has to discard. */
  private int unneeded;

  /** A free segment with pages; null if there is none. */
  @Nullable MemorySegment poll() {
    MemorySegment segment = resident.pollLast();
    unneeded = Math.min(unneeded, resident.size());
    fewest = Math.min(fewest, resident.size() - unneeded);
    return segment;
  }

  /** A free segment without pages; null if there is none. */
  @Nullable MemorySegment pollDiscarded() {
    return discarded.pollLast();
  }

  void add(MemorySegment segment) {
    resident.addLast(segment);
  }

  /** The number of segments with pages. */
  int resident() {
    return resident.size();
  }

  /** Begins a trim of the segments that were not needed since the last call. */
  void beginTrim() {
    unneeded = fewest;
    fewest = resident.size() - unneeded;
  }

  /** Removes a segment that the current trim discards; null at its end. */
  @Nullable MemorySegment takeUnneeded() {
    if (unneeded == 0) {
      return null;
    }
    unneeded--;
    return resident.pollFirst();
  }

  /** Adds a segment whose pages have been discarded. */
  void addDiscarded(MemorySegment segment) {
    discarded.addLast(segment);
  }

  /** Removes a segment without pages; false if there is none. */
  boolean dropDiscarded() {
    return discarded.pollFirst() != null;
  }
}
