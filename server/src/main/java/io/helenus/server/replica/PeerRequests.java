package io.helenus.server.replica;

import io.helenus.server.cluster.MessageKind;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.RefusalCode;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.internode.InboundLink;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplyDigest;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * What coordinators on other nodes ask of this node's replica: it takes a request from a link of a
 * shard to the {@link LocalReplica}, and its outcome back. A request that is ahead of this node's
 * metadata waits for it ({@link ParkedRequests}). Shard thread only.
 */
public final class PeerRequests {
  private static final int TOKEN_BYTES = 8;

  /** First and last token, and the limit in bytes. */
  private static final int READ_HEADER_BYTES = 2 * TOKEN_BYTES + Integer.BYTES;

  /** How much this replica sends at once, but for one row. */
  private static final int REPLY_LIMIT_BYTES = 4 << 20;

  private final Shard shard;
  private final ReplicaAccess replica;
  private final Coordinator coordinator;
  private final ParkedRequests parked;
  private final ParkedRequests.Runner runner = this::run;

  /**
   * Creates the receiver of one shard.
   *
   * @param coordinator that of the shard, whose buffers hold mutations
   * @param applied the last entry of the metadata log that this node has applied
   */
  public PeerRequests(
      Shard shard, ReplicaAccess replica, Coordinator coordinator, LongSupplier applied) {
    this.shard = shard;
    this.replica = replica;
    this.coordinator = coordinator;
    parked = new ParkedRequests(applied, shard::nanos);
  }

  /** A request of a replica has arrived; as {@code RequestReceiver.received}. */
  public void received(
      InboundLink link,
      long id,
      byte kind,
      long epoch,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length) {
    if (!parked.park(link, id, kind, epoch, remainingNanos, body, offset, length)) {
      run(link, id, kind, remainingNanos, body, offset, length);
    }
  }

  /** This node has applied further entries of the metadata log. */
  public void metadataApplied() {
    parked.proceed(runner);
  }

  private void run(
      InboundLink link,
      long id,
      byte kind,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length) {
    try {
      switch (kind) {
        case MessageKind.MUTATION, MessageKind.REPAIR -> write(link, id, body, offset, length);
        case MessageKind.READ_DATA, MessageKind.READ_DIGEST ->
            read(link, id, kind, remainingNanos, body, offset, length);
        case MessageKind.TRUNCATE -> truncate(link, id, body, offset, length);
        default ->
            link.refuse(
                id,
                RefusalCode.of(new IllegalArgumentException()),
                "this release does not know messages of kind " + kind);
      }
    } catch (Throwable e) {
      refuse(link, id, shard.fatal().contain(e));
    }
  }

  private static void refuse(InboundLink link, long id, Exception cause) {
    link.refuse(id, RefusalCode.of(cause), String.valueOf(cause.getMessage()));
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException("a request is too short");
    }
  }

  private void write(InboundLink link, long id, MemorySegment body, long offset, int length) {
    require(length > TOKEN_BYTES);
    long token = Bytes.getLong(body, offset);
    ByteWriter mutation = coordinator.takeBuffer();
    mutation.putBytes(body, offset + TOKEN_BYTES, length - TOKEN_BYTES);
    PeerWrite write = new PeerWrite(link, id, mutation);
    RunningWrite ignored = replica.write(shard, token, mutation.segment(), mutation.size(), write);
  }

  /** One mutation, from its arrival to the acknowledgement at the end of the tick. */
  private final class PeerWrite implements ReplicaAccess.WriteReply {
    private final InboundLink link;
    private final long id;
    private final ByteWriter mutation;

    PeerWrite(InboundLink link, long id, ByteWriter mutation) {
      this.link = link;
      this.id = id;
      this.mutation = mutation;
    }

    @Override
    public void written(long nanos) {
      coordinator.metrics().mutation();
      coordinator.release(mutation);
      link.acknowledge(id);
    }

    @Override
    public void notWritten(Exception cause) {
      coordinator.metrics().mutation();
      coordinator.release(mutation);
      refuse(link, id, cause);
    }
  }

  private void read(
      InboundLink link,
      long id,
      byte kind,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length) {
    require(length > READ_HEADER_BYTES);
    long first = Bytes.getLong(body, offset);
    long last = Bytes.getLong(body, offset + TOKEN_BYTES);
    int limit = Bytes.getInt(body, offset + 2 * TOKEN_BYTES);
    ReadRequest request =
        new ReadRequest().decode(body, offset + READ_HEADER_BYTES, length - READ_HEADER_BYTES);
    PeerRead read =
        new PeerRead(link, id, kind == MessageKind.READ_DIGEST, shard.nanos() + remainingNanos);
    RunningRead ignored =
        replica.readRaw(
            shard, first, last, request, Math.min(limit, REPLY_LIMIT_BYTES), read.reply, read);
  }

  /** One read, from its arrival to the reply at the end of the tick. */
  private final class PeerRead implements ReplicaAccess.ReadReply {
    private final InboundLink link;
    private final long id;
    private final boolean digest;
    private final long deadlineNanos;
    private final ByteWriter reply = coordinator.takeBuffer();

    PeerRead(InboundLink link, long id, boolean digest, long deadlineNanos) {
      this.link = link;
      this.id = id;
      this.digest = digest;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void read(boolean stopped, int rows, int tombstones, long nanos) {
      ByteWriter out = link.beginReply(id);
      if (out != null) {
        if (digest) {
          ReplyDigest.put(reply.segment(), 0, reply.size(), out);
        } else {
          out.putBytes(reply.segment(), 0, reply.size());
        }
        link.endReply();
      }
      coordinator.release(reply);
    }

    @Override
    public void notRead(Exception cause) {
      coordinator.release(reply);
      refuse(link, id, cause);
    }

    @Override
    public boolean isOverdue(long nowNanos) {
      return nowNanos - deadlineNanos >= 0;
    }

    @Override
    public void timedOut() {
      // nobody waits for it any more
      coordinator.release(reply);
    }
  }

  private void truncate(InboundLink link, long id, MemorySegment body, long offset, int length) {
    require(length == Integer.BYTES);
    replica.truncate(
        shard,
        Bytes.getInt(body, offset),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            link.acknowledge(id);
          }

          @Override
          public void notWritten(Exception cause) {
            refuse(link, id, cause);
          }
        });
  }
}
