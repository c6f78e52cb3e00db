package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.StorageEngine;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The write of one mutation: the message to its shard and the reply with the outcome. If a table of
 * the mutation has views it waits in the queue of its partition. An exception before the mutation
 * is in the commit log fails the write; a later one halts the node (in the engine).
 */
final class LocalWrite implements Runnable, StorageEngine.WriteListener, WriteEntry {
  private static final int SETTLED = -1;
  private static final int NOT_PLAIN = -1;

  /** 128 ns per step, so that four minutes fit into an int. */
  private static final int STEP_BITS = 7;

  private final Shard from;
  private final Shard target;
  private final PartitionQueues queues;
  private final MemorySegment mutation;
  private final ReplicaAccess.WriteReply reply;
  private int length;
  private int generation = NOT_PLAIN;

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
    try {
      if (queues.takes(mutation, length)) {
        queues.add(this);
        return;
      }
      generation = queues.beginPlain();
      queues.engine().apply(mutation, 0, length, this);
    } catch (Throwable e) {
      onRefused(target.fatal().contain(e));
    }
    target.tick();
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

  @Override
  public boolean begin() {
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
