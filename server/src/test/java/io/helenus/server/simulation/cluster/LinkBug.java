package io.helenus.server.simulation.cluster;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A planted bug between a coordinator and the replicas on other nodes. */
enum LinkBug {
  /** The reply of a replica to a write counts as that of another one, too. */
  REPLY_COUNTED_TWICE,

  /** A write counts as answered when it is sent. */
  WRITE_NOT_AWAITED,

  /** What a read has found to be missing counts as written when it is sent. */
  REPAIR_NOT_AWAITED,

  /** A write whose link breaks counts as answered. */
  BROKEN_LINK_COUNTED;

  private static final int REPLICAS = 3;

  /** Plants the bug. */
  RemoteReplicas in(Shard shard, RemoteReplicas others) {
    return new Planted(this, shard, others);
  }

  private record Planted(LinkBug bug, Shard shard, RemoteReplicas others)
      implements RemoteReplicas {
    @Override
    public byte @Nullable [] localAddress() {
      return others.localAddress();
    }

    @Override
    public long write(
        Member to,
        long token,
        MemorySegment mutation,
        long offset,
        int length,
        boolean repair,
        long remainingNanos,
        int tag,
        ReplyHandler reply) {
      boolean early = bug == (repair ? REPAIR_NOT_AWAITED : WRITE_NOT_AWAITED);
      ReplyHandler handler = reply;
      if (early) {
        handler = new Ignored();
      } else if (!repair && (bug == REPLY_COUNTED_TWICE || bug == BROKEN_LINK_COUNTED)) {
        handler = new Counted(bug, reply);
      }
      long id =
          others.write(to, token, mutation, offset, length, repair, remainingNanos, tag, handler);
      if (early && id != NOT_SENT) {
        shard.execute(() -> reply.replied(tag, MemorySegment.NULL, 0, 0));
      }
      return id;
    }

    @Override
    public long read(
        Member to,
        long firstToken,
        long lastToken,
        ReadRequest request,
        Read kind,
        int maxBytes,
        long remainingNanos,
        int tag,
        ReplyHandler reply) {
      return others.read(
          to, firstToken, lastToken, request, kind, maxBytes, remainingNanos, tag, reply);
    }

    @Override
    public long truncate(Member to, int tableId, long remainingNanos, int tag, ReplyHandler reply) {
      return others.truncate(to, tableId, remainingNanos, tag, reply);
    }

    @Override
    public void forget(Member to, long id) {
      others.forget(to, id);
    }

    @Override
    public byte @Nullable [] address(Member member) {
      return others.address(member);
    }
  }

  private static final class Ignored implements ReplyHandler {
    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {}

    @Override
    public void failed(int tag, byte code, String text) {}

    @Override
    public void broken(int tag) {}
  }

  private record Counted(LinkBug bug, ReplyHandler reply) implements ReplyHandler {
    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {
      reply.replied(tag, body, offset, length);
      if (bug == REPLY_COUNTED_TWICE) {
        reply.replied((tag + 1) % REPLICAS, body, offset, length);
      }
    }

    @Override
    public void failed(int tag, byte code, String text) {
      reply.failed(tag, code, text);
    }

    @Override
    public void broken(int tag) {
      if (bug == BROKEN_LINK_COUNTED) {
        reply.replied(tag, MemorySegment.NULL, 0, 0);
      } else {
        reply.broken(tag);
      }
    }
  }
}
