package io.helenus.server.replica;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.Scheduler.Timer;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of other nodes that were planned with entries of the metadata log that this node has not
 * applied: they wait for these, in order, so that a mutation does not meet a node that does not
 * know its table. Bounded: what does not fit is refused, so that its sender need not wait, and what
 * waits beyond its deadline is dropped then, as nobody waits for it any more. On the thread of the
 * shard.
 *
 * @param <L> the link that a request has come by
 */
final class ParkedRequests<L> {
  /** How many bytes may wait. */
  static final long LIMIT_BYTES = 8 << 20;

  static final int OVERHEAD_BYTES = 128;
  private static final long SHORTEST_WAIT_NANOS = 1_000_000;

  /** What becomes of requests. */
  interface Outcome<L> {
    /** As {@link io.helenus.server.internode.RequestReceiver#received}. */
    void run(
        L link,
        long id,
        byte kind,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length);

    /** A request cannot wait here. */
    void refuse(L link, long id, String reason);
  }

  private record Parked<L>(
      L link, long id, byte kind, long epoch, long deadlineNanos, ByteWriter body) {
    int bytes() {
      return body.size() + OVERHEAD_BYTES;
    }
  }

  private final LongSupplier applied;
  private final LongSupplier nanos;
  private final Scheduler scheduler;
  private final SegmentSource memory;
  private final Outcome<L> outcome;
  private final ArrayDeque<Parked<L>> parked = new ArrayDeque<>();
  private long bytes;
  private @Nullable Timer timer;

  /** When the timer is due: not after the earliest deadline of those that wait. */
  private long timerNanos;

  /**
   * Nothing is parked.
   *
   * @param applied the last entry that this node has applied
   * @param nanos the monotonic time of the shard
   * @param scheduler that of the shard
   * @param memory for the bodies of requests
   */
  ParkedRequests(
      LongSupplier applied,
      LongSupplier nanos,
      Scheduler scheduler,
      SegmentSource memory,
      Outcome<L> outcome) {
    this.applied = applied;
    this.nanos = nanos;
    this.scheduler = scheduler;
    this.memory = memory;
    this.outcome = outcome;
  }

  /**
   * Keeps or refuses a request if its epoch is ahead of this node; false if it can be carried out
   * now.
   */
  boolean park(
      L link,
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
      outcome.refuse(link, id, "too many requests wait until this node has followed the schema");
      return true;
    }
    ByteWriter copy = ByteWriter.recycling(memory, length).putBytes(body, offset, length);
    Parked<L> request =
        new Parked<>(link, id, kind, epoch, nanos.getAsLong() + remainingNanos, copy);
    parked.add(request);
    bytes += request.bytes();
    wakeAt(request.deadlineNanos);
    return true;
  }

  private void wakeAt(long deadlineNanos) {
    Timer running = timer;
    if (running != null) {
      if (timerNanos - deadlineNanos <= 0) {
        return;
      }
      running.cancel();
    }
    timerNanos = deadlineNanos;
    timer =
        scheduler.schedule(
            this::expire, Math.max(SHORTEST_WAIT_NANOS, deadlineNanos - nanos.getAsLong()));
  }

  /** Drops what has waited until its deadline. */
  private void expire() {
    timer = null;
    long now = nanos.getAsLong();
    Iterator<Parked<L>> all = parked.iterator();
    while (all.hasNext()) {
      Parked<L> each = all.next();
      if (each.deadlineNanos - now <= 0) {
        all.remove();
        release(each);
      }
    }
    for (Parked<L> each : parked) {
      wakeAt(each.deadlineNanos);
    }
  }

  private void release(Parked<L> request) {
    bytes -= request.bytes();
    request.body.release();
  }

  /** Runs what need not wait any more, in the order of arrival. */
  void proceed() {
    long now = nanos.getAsLong();
    long reached = applied.getAsLong();
    for (int i = parked.size(); i > 0; i--) {
      Parked<L> first = parked.remove();
      if (first.epoch > reached) {
        parked.add(first);
        continue;
      }
      if (first.deadlineNanos - now > 0) {
        outcome.run(
            first.link,
            first.id,
            first.kind,
            first.deadlineNanos - now,
            first.body.segment(),
            0,
            first.body.size());
      }
      release(first);
    }
    Timer running = timer;
    if (running != null && parked.isEmpty()) {
      running.cancel();
      timer = null;
    }
  }

  /** How many wait. */
  int size() {
    return parked.size();
  }

  /** How many bytes of {@link #LIMIT_BYTES} they take. */
  long bytes() {
    return bytes;
  }
}
