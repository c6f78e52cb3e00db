package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.DeletionsInForce;
import io.helenus.storage.reply.ReplyWriter;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;

/**
 * Writes a data reply and decides where it ends: at the limits of rows, or before what follows the
 * row that made it too large. What it decides depends on nothing but what it writes, so that all
 * replicas with the same data end at the same place. Shard thread only; reusable.
 */
final class RawOutput {
  private final ReplyWriter reply = new ReplyWriter();
  private final RawLimits limits = new RawLimits();
  private final ByteWriter partition = new ByteWriter(128);
  private final ByteWriter written = new ByteWriter(128);
  private final ByteWriter edge = new ByteWriter(128);
  private DeletionsInForce deletions = new DeletionsInForce();
  private boolean reversed;
  private boolean onePartition;
  private int limitBytes;
  private boolean hasUnits;
  private boolean isWritten;
  private boolean ended;

  void open(ReadRequest request, int newLimitBytes, DeletionsInForce newDeletions) {
    deletions = newDeletions;
    limits.open(request.limits());
    reversed = request.keys().isReversed();
    onePartition = request.keys().isPartition();
    limitBytes = newLimitBytes;
    hasUnits = false;
    isWritten = false;
    ended = false;
    partition.clear();
    written.clear();
  }

  /** Starts the reply. */
  void begin(ByteWriter out) {
    reply.begin(out, reversed);
  }

  /** Whether the reply has ended before the end of the request. */
  boolean hasEnded() {
    return ended;
  }

  /** Starts a partition, of which there may be nothing to write. */
  void beginPartition(MemorySegment segment, long offset, int length) {
    partition.clear().putBytes(segment, offset, length);
    isWritten = false;
  }

  ByteWriter partition() {
    return partition;
  }

  /** Ends a partition: its deletion is written even if there is nothing else. */
  void endPartition() {
    if (partition.size() > 0
        && !ended
        && !isWritten
        && deletions.partitionTimestamp() != RowFormat.NO_TIMESTAMP) {
      boolean _ = isPartitionWritten();
    }
  }

  /** Whether the partition has been written, now or before; otherwise the reply has ended. */
  private boolean isPartitionWritten() {
    if (isWritten) {
      return true;
    }
    boolean over = limits.beginPartition();
    if (over || isFull()) {
      edge.clear().putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_BOUND_AFTER);
      ended = true;
      reply.endAt(written.segment(), written.size(), edge.segment(), 0, edge.size());
      return false;
    }
    isWritten = true;
    hasUnits = !onePartition;
    written.clear().putBytes(partition.segment(), 0, partition.size());
    reply.partition(
        partition.segment(),
        0,
        partition.size(),
        deletions.partitionTimestamp(),
        deletions.partitionSeconds());
    return true;
  }

  private boolean isFull() {
    return hasUnits && reply.size() >= limitBytes;
  }

  private void endAt(MemorySegment suffix, long offset, int length) {
    reply.range(suffix, offset, length, RowFormat.NO_TIMESTAMP, 0);
    reply.endAt(partition.segment(), partition.size(), suffix, offset, length);
    ended = true;
  }

  /** The range deletion in force begins or ends at an edge of a slice. */
  void rangeAtEdge(ByteWriter key, boolean begins) {
    long timestamp = begins ? deletions.rangeTimestamp() : RowFormat.NO_TIMESTAMP;
    if (!isWritten && (timestamp == RowFormat.NO_TIMESTAMP || !isPartitionWritten())) {
      return;
    }
    int from = partition.size();
    reply.range(
        key.segment(), from, key.size() - from, timestamp, begins ? deletions.rangeSeconds() : 0);
  }

  /**
   * The range deletion in force has changed at a bound.
   *
   * @param key of the bound
   */
  void rangeAt(MemorySegment key, long offset, int length) {
    if (!isPartitionWritten()) {
      return;
    }
    int from = partition.size();
    if (isFull()) {
      endAt(key, offset + from, length - from);
      return;
    }
    hasUnits = true;
    reply.range(
        key, offset + from, length - from, deletions.rangeTimestamp(), deletions.rangeSeconds());
  }

  /** Writes the static row. */
  void staticRow(RawUnit row) {
    if (isPartitionWritten()) {
      if (row.count()) {
        limits.staticRow();
      }
      row.write(reply, partition.size());
    }
  }

  /** Writes a row; returns whether the rest of its partition is to be skipped. */
  boolean row(RawUnit row) {
    if (!isPartitionWritten()) {
      return false;
    }
    int from = partition.size();
    if (isFull()) {
      beside(row.key(), false);
      endAt(edge.segment(), from, edge.size() - from);
      return false;
    }
    hasUnits = true;
    boolean live = row.count();
    row.write(reply, from);
    RawLimits.Reached reached = live ? limits.row() : RawLimits.Reached.NOTHING;
    if (reached == RawLimits.Reached.NOTHING) {
      return false;
    }
    beside(row.key(), true);
    if (reached == RawLimits.Reached.END || onePartition) {
      endAt(edge.segment(), from, edge.size() - from);
      return false;
    }
    reply.range(edge.segment(), from, edge.size() - from, RowFormat.NO_TIMESTAMP, 0);
    reply.gap(edge.segment(), from, edge.size() - from);
    return true;
  }

  /** Sets {@code edge} to the bound before or behind a row, as the read goes. */
  private void beside(ByteWriter rowKey, boolean behind) {
    edge.clear().putBytes(rowKey.segment(), 0, rowKey.size() - 1);
    edge.putByte(behind != reversed ? KeyFormat.TAG_BOUND_AFTER : KeyFormat.TAG_BOUND_BEFORE);
  }

  /** Whether the reply has no position at its end. */
  boolean isComplete() {
    return !ended;
  }

  /** Ends the reply, which is complete. */
  void end() {
    if (!ended) {
      reply.end();
    }
  }
}
