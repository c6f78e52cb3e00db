package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.WriteRefusedException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The write of one mutation: the message to its shard and the reply with the outcome. If a table of
 * the mutation has views it waits in the queue of its partition. An exception before the mutation
 * is in the commit log fails the write; a later one halts the node (in the engine).
 *
 * <p>The bytes of the mutation belong to the request, which may take them back at its deadline
 * ({@link #withdraw}). On the same thread that is possible at any time. A message to another shard
 * is marked as withdrawn unless the target was first to begin; if it was, the bytes are free as
 * soon as the engine has copied them, or, while the write waits in a queue, when the target has
 * agreed.
 */
final class LocalWrite implements Runnable, RunningWrite, StorageEngine.WriteListener, WriteEntry {
  private static final int SETTLED = -1;
  private static final int NOT_PLAIN = -1;

  /** 128 ns per step, so that four minutes fit into an int. */
  private static final int STEP_BITS = 7;

  /** What happens to the bytes of a write for another shard. */
  private static final AtomicIntegerFieldUpdater<LocalWrite> BYTES =
      AtomicIntegerFieldUpdater.newUpdater(LocalWrite.class, "bytes");

  /** The message has not arrived. */
  private static final int IN_TRANSIT = 0;

  /** The target may read the bytes at any time. */
  private static final int READABLE = 1;

  /** The engine has copied the bytes. */
  private static final int COPIED = 2;

  /** The bytes belong to the request again. */
  private static final int WITHDRAWN = 3;

  private final Shard from;
  private final Shard target;
  private final PartitionQueues queues;
  private final MemorySegment mutation;
  private final ReplicaAccess.WriteReply reply;
  private int length;
  private int generation = NOT_PLAIN;

  /** One of the constants; on the shard of the request nothing but {@link #WITHDRAWN} is noted. */
  private volatile int bytes;

  /**
   * The start time until the write has ended, then its duration; in steps, so that an int is
   * enough.
   */
  private int steps;

  private int waitedSteps;

  private @Nullable Exception failure;

  LocalWrite(
      Shard from,
      Shard target,
      PartitionQueues queues,
      MemorySegment mutation,
      int length,
      ReplicaAccess.WriteReply reply) {
    this.from = from;
    this.target = target;
    this.queues = queues;
    this.mutation = mutation;
    this.length = length;
    this.reply = reply;
  }

  /** On the target's thread. */
  void start() {
    steps = step(target.nanos());
    if (target != from && !beginReading()) {
      refuseLate();
      return;
    }
    try {
      if (queues.takes(mutation, length)) {
        queues.add(this);
        return;
      }
      generation = queues.beginPlain();
      queues.engine().apply(mutation, 0, length, this);
      if (target != from) {
        BYTES.lazySet(this, COPIED);
      }
    } catch (Throwable e) {
      onRefused(target.fatal().contain(e));
    }
    target.tick();
  }

  /** On the target's thread; false if the request has taken the bytes back. */
  boolean beginReading() {
    return BYTES.compareAndSet(this, IN_TRANSIT, READABLE);
  }

  @Override
  public void run() {
    if (length == SETTLED) {
      answer();
    } else {
      start();
    }
  }

  MemorySegment mutation() {
    return mutation;
  }

  int length() {
    return length;
  }

  /**
   * On the thread of the request. A write that waits in a queue does not begin a turn any more; the
   * turn that it is in has copied the bytes, and would read them again only to repeat itself.
   */
  @Override
  public boolean withdraw() {
    if (target == from) {
      bytes = WITHDRAWN;
      return true;
    }
    if (BYTES.compareAndSet(this, IN_TRANSIT, WITHDRAWN) || bytes == COPIED) {
      return true;
    }
    from.send(target, this::stopReading);
    return false;
  }

  /** On the target's thread. */
  private void stopReading() {
    if (length != SETTLED) {
      bytes = WITHDRAWN;
      target.send(from, reply::released);
    }
  }

  private void refuseLate() {
    onRefused(
        new WriteRefusedException(
            WriteRefusedException.Reason.OVERLOADED,
            "the write had not begun when its deadline had passed"));
  }

  @Override
  public boolean begin() {
    if (bytes == WITHDRAWN) {
      refuseLate();
      return false;
    }
    waitedSteps = step(target.nanos()) - steps;
    return true;
  }

  @Override
  public boolean run(PartitionTurn turn) {
    try {
      turn.write(mutation, length);
      turn.answer(this);
    } catch (Throwable e) {
      notWritten(target.fatal().contain(e));
    }
    return true;
  }

  @Override
  public long waitedNanos() {
    return (long) waitedSteps << STEP_BITS;
  }

  @Override
  public void durable(int turn) {
    settle();
  }

  @Override
  public void notWritten(Exception cause) {
    onRefused(cause);
  }

  @Override
  public void refused(CqlError error) {
    onRefused(new CqlException(error));
  }

  private static int step(long nanos) {
    return (int) (nanos >> STEP_BITS);
  }

  @Override
  public void onDurable() {
    settle();
  }

  @Override
  public void onRefused(Exception cause) {
    failure = cause;
    settle();
  }

  private void settle() {
    if (length == SETTLED) {
      return;
    }
    length = SETTLED;
    if (generation != NOT_PLAIN) {
      queues.endPlain(generation);
    }
    steps = step(target.nanos()) - steps;
    if (target == from) {
      answer();
    } else {
      target.send(from, this);
    }
  }

  private void answer() {
    if (failure == null) {
      reply.written((long) steps << STEP_BITS);
    } else {
      reply.notWritten(failure);
    }
  }
}
