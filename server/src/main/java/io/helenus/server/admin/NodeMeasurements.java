package io.helenus.server.admin;

import io.helenus.server.metrics.NodeCounts;
import io.helenus.storage.engine.CommitLogStatistics;

/**
 * What monitoring systems read of the shards, of one or the sum of several. Must not be modified.
 */
public record NodeMeasurements(NodeCounts counts, CommitLogStatistics commitLog) {
  /** The sum of two shards. */
  public NodeMeasurements plus(NodeMeasurements other) {
    return new NodeMeasurements(counts.plus(other.counts), commitLog.plus(other.commitLog));
  }

  /** The same with segments of the commit log that belong to no shard. */
  public NodeMeasurements plusLog(long bytes) {
    return new NodeMeasurements(counts, commitLog.plus(new CommitLogStatistics(bytes, 0, 0)));
  }
}
