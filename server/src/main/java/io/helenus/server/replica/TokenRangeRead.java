package io.helenus.server.replica;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.shard.Shard;

/**
 * A read of tokens that several shards serve: one shard after the other, in token order, into the
 * same sink. It ends early when the sink stops, a shard cannot read, the deadline has passed or the
 * read is cancelled; the reply counts what all shards have read. On the thread of the request,
 * except for {@link #isOverdue}.
 */
final class TokenRangeRead implements RunningRead, ReplicaAccess.ReadReply {
  private final Shard from;
  private final ShardReader shards;
  private final ReplicaAccess.ReadReply reply;
  private final int lastShard;
  private int shard;
  private RunningRead reading = RunningRead.ENDED;
  private int rows;
  private int tombstones;
  private long nanos;
  private long beganNanos;
  private boolean ended;

  /** Starts the read of one shard. */
  interface ShardReader {
    /** Reads what the shard has of the range. */
    RunningRead read(int shard, ReplicaAccess.ReadReply reply);
  }

  TokenRangeRead(
      Shard from,
      int firstShard,
      int lastShard,
      ShardReader shards,
      ReplicaAccess.ReadReply reply) {
    this.from = from;
    this.shard = firstShard;
    this.lastShard = lastShard;
    this.shards = shards;
    this.reply = reply;
  }

  void start() {
    beganNanos = from.nanos();
    int asked = shard;
    RunningRead read = shards.read(asked, this);
    // the reply may have arrived during the call and started the read of the next shard
    if (asked == shard) {
      reading = read;
    }
  }

  @Override
  public void read(boolean stopped, int rowsRead, int tombstonesRead, long tookNanos) {
    rows += rowsRead;
    tombstones += tombstonesRead;
    long now = from.readClock();
    nanos += tookNanos < 0 ? now - beganNanos : tookNanos;
    if (ended) {
      // cancelled after the shard had replied
      reply.released();
    } else if (stopped || shard == lastShard) {
      ended = true;
      reply.read(stopped, rows, tombstones, nanos);
    } else if (reply.isOverdue(now)) {
      ended = true;
      reply.timedOut();
      reply.released();
    } else {
      shard++;
      start();
    }
  }

  @Override
  public void notRead(Exception cause) {
    ended = true;
    reply.notRead(cause);
  }

  @Override
  public boolean isOverdue(long nowNanos) {
    return reply.isOverdue(nowNanos);
  }

  @Override
  public void timedOut() {
    ended = true;
    reply.timedOut();
  }

  @Override
  public void released() {
    reply.released();
  }

  @Override
  public void cancel() {
    if (!ended) {
      ended = true;
      reading.cancel();
    }
  }
}
