package io.helenus.server.simulation.cluster;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A planted bug between a coordinator and the replicas on other nodes. */
enum LinkBug {
  /** The reply of a replica to a write counts as that of another one, too. */
  REPLY_COUNTED_TWICE,

  /** A write counts as answered when it is sent. */
  WRITE_NOT_AWAITED,

  /** What a read has found to be missing counts as written when it is sent. */
  REPAIR_NOT_AWAITED,

  /** A write whose link breaks counts as answered. */
  BROKEN_LINK_COUNTED,

  /** A request whose deadline has passed stays in the table of those that wait for a reply. */
  DEADLINE_LEAKS,

  /** Requests are placed on the ring as it was when it first had enough nodes. */
  STALE_PLACEMENT,

  /** What was planned before a TRUNCATE has effect on replicas that have carried it out. */
  WRITE_AFTER_TRUNCATION;

  private static final int REPLICAS = 3;

  /** Plants the bug. */
  RemoteReplicas in(Shard shard, RemoteReplicas others) {
    return new Planted(this, shard, others);
  }

  /** Plants the bug in what says where requests are placed. */
  Supplier<ClusterState> placing(Supplier<ClusterState> present) {
    if (this != STALE_PLACEMENT) {
      return present;
    }
    AtomicReference<ClusterState> first = new AtomicReference<>();
    return () -> {
      ClusterState known = first.get();
      if (known != null) {
        return known;
      }
      ClusterState now = present.get();
      if (now.nodes().size() >= REPLICAS) {
        first.set(now);
      }
      return now;
    };
  }

  private static final class Planted extends ForwardedReplicas {
    private final LinkBug bug;
    private final Shard shard;

    Planted(LinkBug bug, Shard shard, RemoteReplicas others) {
      super(others);
      this.bug = bug;
      this.shard = shard;
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
      ByteWriter sent = new ByteWriter(length + 16).putBytes(mutation, offset, length);
      if (bug == WRITE_AFTER_TRUNCATION) {
        sent = withLatestEpoch(sent);
      }
      long id =
          super.write(
              to, token, sent.segment(), 0, sent.size(), repair, remainingNanos, tag, handler);
      if (early && id != NOT_SENT) {
        shard.execute(() -> reply.replied(tag, MemorySegment.NULL, 0, 0));
      }
      return id;
    }

    @Override
    public void forget(Member to, long id) {
      if (bug != DEADLINE_LEAKS) {
        super.forget(to, id);
      }
    }
  }

  private static ByteWriter withLatestEpoch(ByteWriter mutation) {
    MutationView view = new MutationView();
    view.wrap(mutation.segment(), 0, mutation.size());
    ByteWriter changed = new ByteWriter(mutation.size() + 16);
    MutationWriter writer = new MutationWriter(changed);
    writer.begin(
        view.token(), Long.MAX_VALUE, view.segment(), view.prefixOffset(), view.prefixLength());
    while (view.nextTable()) {
      writer.beginTable(view.tableId());
      writer.entries(view.segment(), view.entriesOffset(), view.entriesLength());
      writer.endTable();
    }
    writer.finish();
    return changed;
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
