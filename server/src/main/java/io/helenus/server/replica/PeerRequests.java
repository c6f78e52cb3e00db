package io.helenus.server.replica;

import io.helenus.server.cluster.MessageKind;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.RefusalCode;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.ReplicaActivity;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.RequestTraces;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.internode.InboundLink;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplyDigest;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
  private final int tombstoneLimit;
  private final RequestTraces traces;
  private final ParkedRequests<InboundLink> parked;

  /**
   * Creates the receiver of one shard.
   *
   * @param coordinator that of the shard, whose buffers hold mutations
   * @param tombstoneLimit how many tombstones a read encounters at most, whatever its coordinator
   *     allows
   * @param applied the last entry of the metadata log that this node has applied
   * @param memory for requests that are ahead of it
   */
  public PeerRequests(
      Shard shard,
      ReplicaAccess replica,
      Coordinator coordinator,
      int tombstoneLimit,
      RequestTraces traces,
      LongSupplier applied,
      SegmentSource memory) {
    this.shard = shard;
    this.replica = replica;
    this.coordinator = coordinator;
    this.tombstoneLimit = tombstoneLimit;
    this.traces = traces;
    parked = new ParkedRequests<>(applied, shard::nanos, shard, memory, new Unparked());
  }

  /** What becomes of the requests that are ahead of this node. */
  private final class Unparked implements ParkedRequests.Outcome<InboundLink> {
    @Override
    public void run(
        InboundLink link,
        long id,
        byte kind,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length) {
      PeerRequests.this.run(link, id, kind, remainingNanos, body, offset, length);
    }

    @Override
    public void refuse(InboundLink link, long id, String reason) {
      link.refuse(id, RefusalCode.BEHIND, reason);
    }
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
    parked.proceed();
  }

  /** How many requests wait for entries of the metadata log. */
  public int parked() {
    return parked.size();
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
      byte asked = kind;
      long at = offset;
      int rest = length;
      RequestTrace trace = null;
      if ((kind & MessageKind.TRACED) != 0) {
        require(length > RequestTrace.ID_BYTES);
        trace = traces.join(body, offset);
        asked ^= MessageKind.TRACED;
        at += RequestTrace.ID_BYTES;
        rest -= RequestTrace.ID_BYTES;
      }
      switch (asked) {
        case MessageKind.MUTATION, MessageKind.REPAIR ->
            write(link, id, asked, body, at, rest, trace);
        case MessageKind.READ_DATA, MessageKind.READ_DIGEST ->
            read(link, id, asked, remainingNanos, body, at, rest, trace);
        default ->
            link.refuse(
                id,
                RefusalCode.of(new IllegalArgumentException()),
                "this release does not know messages of kind " + (kind & 0xFF));
      }
    } catch (Throwable e) {
      refuse(link, id, shard.fatal().contain(e));
    }
  }

  private static void received(
      @Nullable RequestTrace trace, InboundLink link, byte kind, boolean partition) {
    if (trace != null) {
      trace.event(
          TracedMessage.verb(kind, partition) + "_REQ message received from " + coordinator(link));
    }
  }

  /** Ends the part of this replica in a trace; the reply follows. */
  private static void responds(@Nullable RequestTrace trace, InboundLink link) {
    if (trace != null) {
      trace.event("Enqueuing response to " + coordinator(link));
      trace.end();
    }
  }

  private static void fails(@Nullable RequestTrace trace, InboundLink link, Exception cause) {
    if (trace != null) {
      trace.event("Failed: " + cause.getMessage());
      responds(trace, link);
    }
  }

  private static String coordinator(InboundLink link) {
    return TracedMessage.node(link.peer().broadcast());
  }

  private static void refuse(InboundLink link, long id, Exception cause) {
    link.refuse(id, RefusalCode.of(cause), String.valueOf(cause.getMessage()));
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException("a request is too short");
    }
  }

  private void write(
      InboundLink link,
      long id,
      byte kind,
      MemorySegment body,
      long offset,
      int length,
      @Nullable RequestTrace trace) {
    require(length > TOKEN_BYTES);
    received(trace, link, kind, true);
    long token = Bytes.getLong(body, offset);
    ByteWriter mutation = coordinator.takeBuffer();
    mutation.putBytes(body, offset + TOKEN_BYTES, length - TOKEN_BYTES);
    ReplicaActivity.writing(trace, mutation.segment(), 0, mutation.size());
    PeerWrite write = new PeerWrite(link, id, mutation, trace);
    RunningWrite ignored = replica.write(shard, token, mutation.segment(), mutation.size(), write);
  }

  /** One mutation, from its arrival to the acknowledgement at the end of the tick. */
  private final class PeerWrite implements ReplicaAccess.WriteReply {
    private final InboundLink link;
    private final long id;
    private final ByteWriter mutation;
    private final @Nullable RequestTrace trace;

    PeerWrite(InboundLink link, long id, ByteWriter mutation, @Nullable RequestTrace trace) {
      this.link = link;
      this.id = id;
      this.mutation = mutation;
      this.trace = trace;
    }

    @Override
    public void written(long nanos) {
      coordinator.metrics().mutation();
      coordinator.mutations().measure(mutation, -1, nanos, shard.nanos());
      coordinator.release(mutation);
      responds(trace, link);
      link.acknowledge(id);
    }

    @Override
    public void notWritten(Exception cause) {
      coordinator.metrics().mutation();
      coordinator.release(mutation);
      fails(trace, link, cause);
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
      int length,
      @Nullable RequestTrace trace) {
    require(length > READ_HEADER_BYTES);
    long first = Bytes.getLong(body, offset);
    long last = Bytes.getLong(body, offset + TOKEN_BYTES);
    int limit = Bytes.getInt(body, offset + 2 * TOKEN_BYTES);
    ReadRequest request =
        coordinator
            .copies()
            .decode(body, offset + READ_HEADER_BYTES, length - READ_HEADER_BYTES)
            .tombstoneLimit(tombstoneLimit);
    received(trace, link, kind, request.keys().isPartition());
    ReplicaActivity.reading(trace, request, first, last);
    long deadline = shard.nanos() + remainingNanos;
    PeerRead read =
        new PeerRead(link, id, request, kind == MessageKind.READ_DIGEST, deadline, trace);
    RunningRead ignored =
        replica.readRaw(
            shard, first, last, request, Math.min(limit, REPLY_LIMIT_BYTES), read.reply, read);
  }

  /** One read, from its arrival to the reply at the end of the tick. */
  private final class PeerRead implements ReplicaAccess.ReadReply {
    private final InboundLink link;
    private final long id;
    private final ReadRequest request;
    private final boolean digest;
    private final long deadlineNanos;
    private final @Nullable RequestTrace trace;
    private final ByteWriter reply = coordinator.takeBuffer();
    private int files = -1;

    PeerRead(
        InboundLink link,
        long id,
        ReadRequest request,
        boolean digest,
        long deadlineNanos,
        @Nullable RequestTrace trace) {
      this.link = link;
      this.id = id;
      this.request = request;
      this.digest = digest;
      this.deadlineNanos = deadlineNanos;
      this.trace = trace;
    }

    @Override
    public void files(int looked) {
      files = looked;
    }

    @Override
    public void read(boolean stopped, int rows, int tombstones, long nanos) {
      coordinator
          .metrics()
          .readByReplica(
              request.tableId(),
              request.keys().isPartition(),
              nanos,
              rows,
              tombstones,
              files,
              shard.nanos());
      ByteWriter out = link.beginReply(id);
      if (out != null) {
        if (digest) {
          ReplyDigest.put(reply.segment(), 0, reply.size(), out);
        } else {
          out.putBytes(reply.segment(), 0, reply.size());
        }
        link.endReply();
      }
      release();
      ReplicaActivity.read(trace, rows, tombstones);
      responds(trace, link);
    }

    @Override
    public void notRead(Exception cause) {
      coordinator.metrics().notReadByReplica();
      release();
      fails(trace, link, cause);
      refuse(link, id, cause);
    }

    private void release() {
      coordinator.release(reply);
      coordinator.copies().release(request);
    }

    @Override
    public boolean isOverdue(long nowNanos) {
      return nowNanos - deadlineNanos >= 0;
    }

    @Override
    public void timedOut() {
      coordinator.metrics().notReadByReplica();
      // nobody waits for it any more
      release();
      if (trace != null) {
        trace.event("Stopped reading: the deadline has passed");
        trace.end();
      }
    }
  }
}
