package io.helenus.server.query.select;

import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * What the log of slow queries tells about a SELECT: noted while it runs, and put into words only
 * if it was slow. Reused by its operation, so that an execution allocates none. Shard thread only.
 */
final class Progress {
  private static final int SHOWN_VALUES = 20;

  private final SlowQueryLog log;
  private final Shard shard;
  private final int[] valueBytes = new int[SHOWN_VALUES];
  private int values;
  private int reads;
  private long rows;
  private long tombstones;
  private @Nullable RequestTrace trace;

  Progress(SlowQueryLog log, Shard shard) {
    this.log = log;
    this.shard = shard;
  }

  /** The execution begins with these values; only those that the client has bound are reported. */
  void begin(BoundValues bound, RunContext context) {
    values = context.parameters().values().count() == 0 ? 0 : bound.count();
    for (int i = Math.min(values, SHOWN_VALUES) - 1; i >= 0; i--) {
      valueBytes[i] = bound.length(i);
    }
    reads = 0;
    rows = 0;
    tombstones = 0;
    trace = context.trace();
  }

  /** A read has ended. */
  void read(int encounteredRows, int encounteredTombstones) {
    reads++;
    rows += encounteredRows;
    tombstones += encounteredTombstones;
  }

  /**
   * The execution has ended.
   *
   * @param failure what was answered instead of rows; empty if nothing
   */
  void end(SelectArguments arguments, String failure) {
    long took = shard.nanos() - arguments.startNanos();
    if (!log.isSlow(took)) {
      return;
    }
    RequestTrace traced = trace;
    StringBuilder details = new StringBuilder();
    details
        .append(SlowQueryLog.sizes(valueBytes, Math.min(values, SHOWN_VALUES), values))
        .append("; ")
        .append(reads)
        .append(reads == 1 ? " read of " : " reads of ")
        .append(rows)
        .append(" rows and ")
        .append(tombstones)
        .append(" tombstones");
    if (!failure.isEmpty()) {
      details.append("; failed: ").append(failure);
    }
    if (traced != null) {
      details.append("; trace ").append(traced.id());
    }
    if (log.add(arguments.statement(), took, details.toString())) {
      Scheduler.Timer _ = shard.schedule(log::report, SlowQueryLog.INTERVAL_NANOS);
    }
  }
}
