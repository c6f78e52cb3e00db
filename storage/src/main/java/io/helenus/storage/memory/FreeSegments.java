package io.helenus.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The free segments of one size. The most recently freed one is reused first, so that those that
 * {@link #trim} finds at the other end have not been needed since the trim before; their pages are
 * discarded. Not thread-safe.
 */
final class FreeSegments {
  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

  /** How many segments at the front have no pages. */
  private int discarded;

  /** The smallest number of free segments since the last trim. */
  private int fewest;

  /** A free segment; null if there is none. */
  @Nullable MemorySegment poll() {
    MemorySegment segment = free.pollLast();
    fewest = Math.min(fewest, free.size());
    discarded = Math.min(discarded, free.size());
    return segment;
  }

  void add(MemorySegment segment) {
    free.addLast(segment);
  }

  /** The number of segments with pages. */
  int resident() {
    return free.size() - discarded;
  }

  /** Discards the pages of the segments that were not needed since the last call. */
  void trim(PageDiscard pages) {
    int unneeded = fewest;
    fewest = free.size();
    if (unneeded <= discarded) {
      return;
    }
    int at = 0;
    for (MemorySegment segment : free) {
      if (at >= unneeded) {
        break;
      }
      if (at >= discarded) {
        pages.discard(segment);
      }
      at++;
    }
    discarded = unneeded;
  }
}
