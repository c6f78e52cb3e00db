package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import org.jspecify.annotations.Nullable;

/**
 * A read: the message to its shard, the cursor there, and the reply. It stops when it is cancelled,
 * even while it waits for blocks, and does not start a slice of work after its deadline. Exceptions
 * from the engine or the sink fail this read only.
 */
final class LocalRead implements Runnable, RunningRead {
  /**
   * After so many waits for blocks each further one ends with a poll of the sockets. Blocks that
   * are loaded ahead would otherwise keep the loop busy with this read alone.
   */
  private static final int WAITS_WITHOUT_POLL = 4;

  private enum Phase {
    READING,
    DONE,
    STOPPED,
    FAILED,
    OVERDUE,
    CANCELLED
  }

  private final Shard from;
  private final Shard target;
  private final StorageEngine engine;
  private final ReadRequest request;
  private final RowSink sink;
  private final ReplicaAccess.ReadReply reply;
  private @Nullable ReadCursor cursor;
  private Phase phase = Phase.READING;
  private int waits;
  private boolean waiting;
  private final @Nullable Travel travel;
  private @Nullable Exception failure;

  /**
   * The result from another shard; {@code nanos} holds the start time at first and the duration at
   * the end.
   */
  private static final class Travel {
    private long nanos;
    private int rows;
    private int tombstones;
    private int files;
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
    switch (phase) {
      case READING -> {
        boolean pollsFirst = waiting && waits > WAITS_WITHOUT_POLL;
        waiting = false;
        if (pollsFirst) {
          target.executeLast(this);
        } else {
          advance();
        }
      }
      case CANCELLED -> {
        // a continuation queued before the cancellation
      }
      default -> answerFromAfar();
    }
  }

  /** On the target's thread. */
  private void advance() {
    Phase next;
    try {
      next = read();
    } catch (Throwable e) {
      failure = target.fatal().contain(e);
      next = Phase.FAILED;
    }
    if (next != Phase.READING) {
      settle(next);
    }
  }

  /** Reads for one time slice and schedules the next. */
  private Phase read() {
    ReadCursor open = cursor;
    // A read that begins on the shard of its request has just been given its deadline.
    if (open != null || travel != null) {
      long now = target.nanos();
      if (open == null && travel != null) {
        travel.nanos = now;
      }
      if (reply.isOverdue(now)) {
        return Phase.OVERDUE;
      }
    }
    if (open == null) {
      open = engine.read(request);
      cursor = open;
    }
    return switch (open.advance(sink)) {
      case DONE -> Phase.DONE;
      case STOPPED -> Phase.STOPPED;
      case WAITING -> {
        waiting = true;
        waits++;
        open.whenReady(this);
        yield Phase.READING;
      }
      case YIELD -> {
        target.executeLast(this);
        yield Phase.READING;
      }
    };
  }

  @Override
  public void cancel() {
    if (target == from) {
      abandon();
    } else {
      from.send(target, this::abandon);
    }
  }

  /** On the target's thread. */
  private void abandon() {
    if (phase == Phase.READING) {
      phase = Phase.CANCELLED;
      if (cursor != null) {
        cursor.close();
      }
      if (target == from) {
        reply.released();
      } else {
        target.send(from, reply::released);
      }
    }
  }

  private void settle(Phase end) {
    int rows = 0;
    int tombstones = 0;
    int files = -1;
    if (cursor != null) {
      rows = cursor.rowsRead();
      tombstones = cursor.tombstonesRead();
      files = cursor.filesRead();
      cursor.close();
    }
    phase = end;
    if (travel == null) {
      answer(rows, tombstones, files, -1);
    } else {
      travel.rows = rows;
      travel.tombstones = tombstones;
      travel.files = files;
      travel.nanos = target.readClock() - travel.nanos;
      target.send(from, this);
    }
  }

  private void answerFromAfar() {
    if (travel != null) {
      answer(travel.rows, travel.tombstones, travel.files, travel.nanos);
    }
  }

  private void answer(int rows, int tombstones, int files, long nanos) {
    if (failure != null) {
      reply.notRead(failure);
      reply.released();
    } else if (phase == Phase.OVERDUE) {
      reply.timedOut();
      reply.released();
    } else {
      reply.files(files);
      reply.read(phase == Phase.STOPPED, rows, tombstones, nanos);
    }
  }
}
