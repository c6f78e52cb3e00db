package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.ShareId;
import org.jspecify.annotations.Nullable;

/**
 * A write that is computed from rows of its partition: a function of the rows that its request
 * reads, its arguments and a timestamp, which knows no shard. It runs where the coordinator
 * decides, on one thread at a time.
 */
public interface ComputedWrite {
  /** What to read: rows of one partition of the only table that it writes. */
  ReadRequest request();

  /** Whether it increments counters, so that it needs the replica's share id. */
  default boolean needsCounterShare() {
    return false;
  }

  /**
   * Prepares for the rows of the request, forgetting those of an earlier read.
   *
   * @param counterShare the id of the shares as which the replica writes increments; null unless it
   *     is needed
   */
  RowSink begin(@Nullable ShareId counterShare);

  /**
   * Computes the mutation after the last row.
   *
   * @param timestampMicros the timestamp of the write, greater than that of every earlier computed
   *     write of the partition
   * @param mutation empty; receives the mutation in storage's encoding
   * @return false if nothing is to be written
   */
  boolean compute(long timestampMicros, ByteWriter mutation);
}
