package io.helenus.storage.read;

import io.helenus.storage.engine.ReadLimits;

/** Counts the live rows of a raw read against the limits of its request. Shard thread only. */
final class RawLimits {
  /** What a live row means for the rest of the read. */
  enum Reached {
    NOTHING,
    /** The limit of its partition. */
    PARTITION,
    /** The limit of the read. */
    END
  }

  private long left;
  private long leftInPartition;
  private long perPartition;
  private boolean staticRowsCount;
  private boolean staticRowAlone;

  void open(ReadLimits limits) {
    left = orUnlimited(limits.rows());
    perPartition = orUnlimited(limits.rowsPerPartition());
    staticRowsCount = limits.doStaticRowsCount();
    staticRowAlone = false;
    leftInPartition = perPartition;
  }

  private static long orUnlimited(int limit) {
    return limit == ReadLimits.NONE ? Long.MAX_VALUE : limit;
  }

  /** Starts a partition; returns whether the read ended with the one before. */
  boolean beginPartition() {
    leftInPartition = perPartition;
    if (staticRowAlone) {
      staticRowAlone = false;
      left--;
    }
    return left == 0;
  }

  /** Counts a live static row. */
  void staticRow() {
    staticRowAlone = staticRowsCount;
  }

  /** Counts a live row. */
  Reached row() {
    staticRowAlone = false;
    if (--left == 0) {
      return Reached.END;
    }
    return --leftInPartition == 0 ? Reached.PARTITION : Reached.NOTHING;
  }
}
