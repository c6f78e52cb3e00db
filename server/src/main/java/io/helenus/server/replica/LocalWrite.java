package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.StorageEngine;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One mutation on its way to its shard and its outcome on the way back. */
final class LocalWrite implements Runnable, StorageEngine.WriteListener {
  private final Shard from;
  private final Shard target;
  private final StorageEngine engine;
  private final MemorySegment mutation;
  private final int length;
  private final ReplicaAccess.WriteReply reply;
  private boolean settled;
  private @Nullable Exception failure;

  LocalWrite(
      Shard from,
      Shard target,
      StorageEngine engine,
      MemorySegment mutation,
      int length,
      ReplicaAccess.WriteReply reply) {
    this.from = from;
    this.target = target;
    this.engine = engine;
    this.mutation = mutation;
    this.length = length;
    this.reply = reply;
  }

  /** On the target's thread. */
  void start() {
    try {
      engine.apply(mutation, 0, length, this);
    } catch (RuntimeException e) {
      notWritten(e);
    }
    target.tick();
  }

  @Override
  public void run() {
    if (settled) {
      answer();
    } else {
      start();
    }
  }

  @Override
  public void written() {
    settle();
  }

  @Override
  public void notWritten(Exception cause) {
    failure = cause;
    settle();
  }

  private void settle() {
    if (settled) {
      return;
    }
    settled = true;
    if (target == from) {
      answer();
    } else {
      target.send(from, this);
    }
  }

  private void answer() {
    if (failure == null) {
      reply.written();
    } else {
      reply.notWritten(failure);
    }
  }
}
