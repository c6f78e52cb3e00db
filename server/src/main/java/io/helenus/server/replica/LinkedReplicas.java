package io.helenus.server.replica;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.MessageKind;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.TracedReply;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replicas on other nodes, reached by the links of one shard: where the requests of its
 * coordinator are written into the output of a link. Shard thread only.
 */
public final class LinkedReplicas implements RemoteReplicas {
  private final LongSupplier epoch;
  private final InetSocketAddress own;
  private @Nullable Link[] links = new Link[4];

  /**
   * Creates it without links.
   *
   * @param epoch the last entry of the metadata log that this node has applied
   * @param own where other nodes reach this one, resolved
   */
  public LinkedReplicas(LongSupplier epoch, InetSocketAddress own) {
    this.epoch = epoch;
    this.own = own;
  }

  /** Uses a link for a member from now on. */
  public void link(Member member, Link link) {
    if (member.index() >= links.length) {
      links = Arrays.copyOf(links, Math.max(member.index() + 1, 2 * links.length));
    }
    links[member.index()] = link;
  }

  /** How many requests wait for a reply. */
  public int waiting() {
    int waiting = 0;
    for (Link link : links) {
      waiting += link == null ? 0 : link.waiting();
    }
    return waiting;
  }

  private @Nullable Link to(Member member) {
    return member.index() < links.length ? links[member.index()] : null;
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
    Link link = to(to);
    byte kind = repair ? MessageKind.REPAIR : MessageKind.MUTATION;
    ByteWriter out = link == null ? null : begin(link, kind, remainingNanos, reply);
    if (link == null || out == null) {
      return NOT_SENT;
    }
    int start = out.size();
    out.putLong(token).putBytes(mutation, offset, length);
    return end(link, kind, true, out.size() - start, reply, tag);
  }

  private @Nullable ByteWriter begin(
      Link link, byte kind, long remainingNanos, ReplyHandler reply) {
    RequestTrace trace = TracedReply.traceOf(reply);
    if (trace == null) {
      return link.begin(kind, epoch.getAsLong(), remainingNanos);
    }
    ByteWriter out =
        link.begin((byte) (kind | MessageKind.TRACED), epoch.getAsLong(), remainingNanos);
    if (out != null) {
      trace.putId(out);
    }
    return out;
  }

  /** Ends a request with so many bytes, after which the trace may write something too. */
  private static long end(
      Link link, byte kind, boolean partition, int bytes, ReplyHandler reply, int tag) {
    long id = link.end(reply, tag);
    if (id != NOT_SENT && TracedReply.traceOf(reply) != null) {
      String peer = TracedMessage.node(link.address());
      TracedReply.sent(
          reply, TracedMessage.purpose(kind), TracedMessage.verb(kind, partition), peer, bytes);
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
    Link link = to(to);
    byte message = kind == Read.DATA ? MessageKind.READ_DATA : MessageKind.READ_DIGEST;
    ByteWriter out = link == null ? null : begin(link, message, remainingNanos, reply);
    if (link == null || out == null) {
      return NOT_SENT;
    }
    int start = out.size();
    out.putLong(firstToken).putLong(lastToken).putInt(maxBytes);
    request.encode(out);
    boolean partition = request.keys().isPartition();
    return end(link, message, partition, out.size() - start, reply, tag);
  }

  @Override
  public void forget(Member to, long id) {
    Link link = to(to);
    if (link != null && id != NOT_SENT) {
      link.forget(id);
    }
  }

  @Override
  public @Nullable InetSocketAddress address(Member member) {
    Link link = to(member);
    return link == null || link.address().isUnresolved() ? null : link.address();
  }

  @Override
  public InetSocketAddress localAddress() {
    return own;
  }
}
