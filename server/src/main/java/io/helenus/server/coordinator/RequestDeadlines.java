package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations in progress on a shard, by the kinds that have a timeout each. Shard thread only.
 */
final class RequestDeadlines {
  private final Deadlines reads;
  private final Deadlines ranges;
  private final Deadlines writes;
  private final Deadlines counters;
  private final Deadlines conditional;
  private final Deadlines truncates;

  RequestDeadlines(Shard shard, Clock clock, Timeouts timeouts) {
    reads = new Deadlines(shard, clock, timeouts.readNanos());
    ranges = new Deadlines(shard, clock, timeouts.rangeNanos());
    writes = new Deadlines(shard, clock, timeouts.writeNanos());
    counters = new Deadlines(shard, clock, timeouts.counterNanos());
    conditional = new Deadlines(shard, clock, timeouts.casNanos());
    truncates = new Deadlines(shard, clock, timeouts.truncateNanos());
  }

  /** Changes the timeouts, also of the operations in progress. */
  void timeouts(Timeouts changed) {
    reads.timeoutNanos(changed.readNanos());
    ranges.timeoutNanos(changed.rangeNanos());
    writes.timeoutNanos(changed.writeNanos());
    counters.timeoutNanos(changed.counterNanos());
    conditional.timeoutNanos(changed.casNanos());
    truncates.timeoutNanos(changed.truncateNanos());
  }

  /** Reads of one partition, or of ranges of them. */
  Deadlines reads(boolean ofPartition) {
    return ofPartition ? reads : ranges;
  }

  Deadlines writes() {
    return writes;
  }

  /** Writes that read. */
  Deadlines computed(WriteType type) {
    return switch (type) {
      case CAS -> conditional;
      case COUNTER -> counters;
      case SIMPLE, BATCH, UNLOGGED_BATCH, BATCH_LOG -> writes;
    };
  }

  Deadlines truncates() {
    return truncates;
  }

  /** The operations in progress, grouped by kind, each oldest first. */
  List<RunningOperation> describe() {
    List<RunningOperation> running = new ArrayList<>();
    reads.describe(running);
    ranges.describe(running);
    writes.describe(running);
    counters.describe(running);
    conditional.describe(running);
    truncates.describe(running);
    return running;
  }

  /** Ends the reads in progress, because the node is stopping. */
  void stopReads() {
    reads.stopAll();
    ranges.stopAll();
  }
}
