package io.helenus.storage.log;

import io.helenus.storage.memory.LargeSegments;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The batches that were written and await their sync, oldest first, and a few to be reused. */
final class UnsyncedBatches {
  private static final int SPARE_LIMIT = 4;

  private final ArrayDeque<LogBatch> unsynced = new ArrayDeque<>();
  private final ArrayDeque<LogBatch> spare = new ArrayDeque<>();
  private final LargeSegments segments;

  UnsyncedBatches(LargeSegments segments) {
    this.segments = segments;
  }

  void add(LogBatch written) {
    unsynced.add(written);
  }

  /** The oldest batch, null if there is none. */
  @Nullable LogBatch oldest() {
    return unsynced.peek();
  }

  /** The oldest batch if the log up to a position covers it. */
  @Nullable LogBatch oldestBefore(long position) {
    LogBatch oldest = unsynced.peek();
    return oldest != null && oldest.end <= position ? oldest : null;
  }

  /** Removes the oldest batch once its owner has received it. */
  void removeOldest() {
    reuse(unsynced.remove());
  }

  /** An empty batch. */
  LogBatch take() {
    LogBatch taken = spare.poll();
    return taken == null ? new LogBatch(segments) : taken;
  }

  void reuse(LogBatch done) {
    done.clear();
    if (spare.size() < SPARE_LIMIT) {
      spare.add(done);
    }
  }
}
