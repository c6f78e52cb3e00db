package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import org.jspecify.annotations.Nullable;

/** One read on its way to its shard, its cursor there, and its outcome on the way back. */
final class LocalRead implements Runnable {
  private final Shard from;
  private final Shard target;
  private final StorageEngine engine;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReplicaAccess.ReadReply reply;
  private @Nullable ReadCursor cursor;
  private boolean settled;
  private boolean stopped;
  private @Nullable Exception failure;

  LocalRead(
      Shard from,
      Shard target,
      StorageEngine engine,
      ReadRequest request,
      RowSink sink,
      ReplicaAccess.ReadReply reply) {
    this.from = from;
    this.target = target;
    this.engine = engine;
    this.request = request;
    this.sink = sink;
    this.reply = reply;
  }

  @Override
  public void run() {
    if (settled) {
      answer();
    } else {
      advance();
    }
  }

  private void advance() {
    try {
      ReadCursor open = cursor;
      if (open == null) {
        open = engine.read(request);
        cursor = open;
      }
      switch (open.advance(sink)) {
        case DONE -> settle(false, null);
        case STOPPED -> settle(true, null);
        case WAITING -> open.whenReady(this);
        case YIELD -> target.execute(this);
      }
    } catch (RuntimeException e) {
      settle(false, e);
    }
  }

  private void settle(boolean sinkStopped, @Nullable Exception cause) {
    if (cursor != null) {
      cursor.close();
    }
    settled = true;
    stopped = sinkStopped;
    failure = cause;
    if (target == from) {
      answer();
    } else {
      target.send(from, this);
    }
  }

  private void answer() {
    if (failure == null) {
      reply.read(stopped);
    } else {
      reply.notRead(failure);
    }
  }
}
