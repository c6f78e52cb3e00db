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
  private final @Nullable Travel travel;
  private @Nullable Exception failure;

  /** What comes back from another shard: first when it began there, then how long it took. */
  private static final class Travel {
    private long nanos;
    private int rows;
    private int tombstones;
  }

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
    this.travel = target == from ? null : new Travel();
  }

  @Override
  public void run() {
    if (settled && travel != null) {
      answer(travel.rows, travel.tombstones, travel.nanos);
    } else {
      advance();
    }
  }

  private void advance() {
    try {
      ReadCursor open = cursor;
      if (open == null) {
        if (travel != null) {
          travel.nanos = target.nanos();
        }
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
    int rows = 0;
    int tombstones = 0;
    if (cursor != null) {
      rows = cursor.rowsRead();
      tombstones = cursor.tombstonesRead();
      cursor.close();
    }
    settled = true;
    stopped = sinkStopped;
    failure = cause;
    if (travel == null) {
      answer(rows, tombstones, -1);
    } else {
      travel.rows = rows;
      travel.tombstones = tombstones;
      travel.nanos = target.look() - travel.nanos;
      target.send(from, this);
    }
  }

  private void answer(int rows, int tombstones, long nanos) {
    if (failure == null) {
      reply.read(stopped, rows, tombstones, nanos);
    } else {
      reply.notRead(failure);
    }
  }
}
