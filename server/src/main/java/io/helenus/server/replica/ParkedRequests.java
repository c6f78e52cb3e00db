package io.helenus.server.replica;

import io.helenus.server.internode.InboundLink;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Requests of other nodes that were planned with entries of the metadata log that this node has not
 * applied: they wait for these, in order, so that a mutation does not meet a node that does not
 * know its table. Bounded: what does not fit, or waits too long, is dropped, and its sender times
 * out. On the thread of the shard.
 */
final class ParkedRequests {
  /** How many bytes may wait. */
  private static final long LIMIT_BYTES = 8 << 20;

  private static final int OVERHEAD_BYTES = 128;

  /** Carries out a request whose entries have been applied. */
  interface Runner {
    /** As {@link io.helenus.server.internode.RequestReceiver#received}. */
    void run(
        InboundLink link,
        long id,
        byte kind,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length);
  }

  private record Parked(
      InboundLink link, long id, byte kind, long epoch, long deadlineNanos, ByteWriter body) {}

  private final LongSupplier applied;
  private final LongSupplier nanos;
  private final ArrayDeque<Parked> parked = new ArrayDeque<>();
  private long bytes;
  private long dropped;

  /**
   * Nothing is parked.
   *
   * @param applied the last entry that this node has applied
   * @param nanos the monotonic time of the shard
   */
  ParkedRequests(LongSupplier applied, LongSupplier nanos) {
    this.applied = applied;
    this.nanos = nanos;
  }

  /** Keeps a request if its epoch is ahead of this node; false if it can be carried out now. */
  boolean park(
      InboundLink link,
      long id,
      byte kind,
      long epoch,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length) {
    if (epoch <= applied.getAsLong()) {
      return false;
    }
    if (bytes + length + OVERHEAD_BYTES > LIMIT_BYTES) {
      dropped++;
      return true;
    }
    bytes += length + OVERHEAD_BYTES;
    parked.add(
        new Parked(
            link,
            id,
            kind,
            epoch,
            nanos.getAsLong() + remainingNanos,
            new ByteWriter(length).putBytes(body, offset, length)));
    return true;
  }

  /** Runs what need not wait any more, in the order of arrival; drops what has waited too long. */
  void proceed(Runner runner) {
    long now = nanos.getAsLong();
    long reached = applied.getAsLong();
    for (int i = parked.size(); i > 0; i--) {
      Parked first = parked.remove();
      if (first.deadlineNanos - now <= 0) {
        dropped++;
      } else if (first.epoch > reached) {
        parked.add(first);
        continue;
      } else {
        runner.run(
            first.link,
            first.id,
            first.kind,
            first.deadlineNanos - now,
            first.body.segment(),
            0,
            first.body.size());
      }
      bytes -= first.body.size() + OVERHEAD_BYTES;
    }
  }

  /** How many wait. */
  int size() {
    return parked.size();
  }

  /** How many were dropped so far. */
  long dropped() {
    return dropped;
  }
}
