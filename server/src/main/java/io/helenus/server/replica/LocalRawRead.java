package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A raw read (storage/docs/raw-read.md): of the shards that have the tokens, one after the other,
 * in token order, as one reply: it does not show how many shards this node has. The message to the
 * shards, and back. Exceptions of an engine fail this read only.
 */
final class LocalRawRead implements Runnable, RunningRead {
  /** The end of a reply without a position, which is cut off if another shard follows. */
  private static final int END_BYTES = 2;

  private static final int VERSION_BYTES = 1;

  private enum Phase {
    READING,
    READ,
    FAILED,
    OVERDUE
  }

  private final Shard from;
  private final List<Shard> shards;
  private final List<StorageEngine> engines;
  private final int lastShard;
  private final ReadRequest request;
  private final int limitBytes;
  private final ByteWriter into;
  private final ReplicaAccess.ReadReply reply;
  private final long beganNanos;
  private int shard;
  private ReadRequest part;
  private ByteWriter output;
  private @Nullable RawCursor cursor;
  private Phase phase = Phase.READING;
  private int rows;
  private int tombstones;
  private int files;
  private int blocks;
  private long blockBytes;
  private @Nullable Exception failure;

  LocalRawRead(
      Shard from,
      List<Shard> shards,
      List<StorageEngine> engines,
      int firstShard,
      int lastShard,
      ReadRequest request,
      int limitBytes,
      ByteWriter into,
      ReplicaAccess.ReadReply reply) {
    this.from = from;
    this.shards = shards;
    this.engines = engines;
    this.shard = firstShard;
    this.lastShard = lastShard;
    this.request = request;
    this.limitBytes = limitBytes;
    this.into = into;
    this.reply = reply;
    this.part = request;
    this.output = into;
    this.beganNanos = from.nanos();
  }

  void start() {
    goTo(from);
  }

  private Shard target() {
    return shards.get(shard);
  }

  private void goTo(Shard present) {
    if (target() == present) {
      run();
    } else {
      present.send(target(), this);
    }
  }

  /** On the thread of the shard that is read, and of the request when all is over. */
  @Override
  public void run() {
    if (phase == Phase.READING) {
      try {
        read();
      } catch (Throwable e) {
        failure = target().fatal().contain(e);
        settle(Phase.FAILED);
      }
    }
  }

  private void read() {
    Shard target = target();
    if (reply.isOverdue(target.nanos())) {
      settle(Phase.OVERDUE);
      return;
    }
    RawCursor open = cursor;
    if (open == null) {
      int limit = limitBytes - Math.min(limitBytes, into.size());
      open = engines.get(shard).replicaReads().read(part, limit);
      cursor = open;
    }
    switch (open.advance(output)) {
      case WAITING -> open.whenReady(this);
      case YIELD -> target.executeLast(this);
      case DONE, STOPPED -> shardRead(open);
    }
  }

  private void shardRead(RawCursor open) {
    boolean complete = open.isComplete();
    rows += open.rowsRead();
    tombstones += open.tombstonesRead();
    files += open.filesRead();
    blocks += open.blocksRead();
    blockBytes += open.blockBytesRead();
    if (output != into) {
      into.putBytes(output.segment(), VERSION_BYTES, output.size() - VERSION_BYTES);
    }
    if (!complete || shard == lastShard) {
      settle(Phase.READ);
      return;
    }
    Shard present = target();
    open.close();
    cursor = null;
    into.truncate(into.size() - END_BYTES);
    shard++;
    part = remaining();
    output = new ByteWriter(1024);
    goTo(present);
  }

  /** The request, of as many rows as are missing to its limit. */
  private ReadRequest remaining() {
    ReadLimits limits = request.limits();
    if (limits.rows() == ReadLimits.NONE) {
      return request;
    }
    ByteWriter bytes = new ByteWriter(256);
    request.encode(bytes);
    return new ReadRequest()
        .decode(bytes.segment(), 0, bytes.size())
        .rowLimits(
            Math.max(1, limits.rows() - rows),
            limits.rowsPerPartition(),
            limits.doStaticRowsCount());
  }

  private void settle(Phase end) {
    Shard present = target();
    RawCursor open = cursor;
    if (open != null) {
      open.close();
      cursor = null;
    }
    phase = end;
    if (present == from) {
      answer();
    } else {
      present.send(from, this::answer);
    }
  }

  private void answer() {
    Exception cause = failure;
    if (cause != null) {
      reply.notRead(cause);
      reply.released();
    } else if (phase == Phase.OVERDUE) {
      reply.timedOut();
      reply.released();
    } else if (phase == Phase.READ) {
      reply.sources(files, blocks, blockBytes);
      reply.files(request.lookup().isAny() ? -1 : files);
      reply.read(false, rows, tombstones, from.readClock() - beganNanos);
    }
  }

  /** A raw read is short: it ends by itself, and nobody listens any more. */
  @Override
  public void cancel() {
    // its deadline ends it too
  }
}
