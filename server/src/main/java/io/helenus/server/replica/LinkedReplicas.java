package io.helenus.server.replica;

import io.helenus.server.cluster.Member;
import io.helenus.server.cluster.MessageKind;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replicas on other nodes, reached by the links of one shard: where the requests of its
 * coordinator are written into the output of a link. Shard thread only.
 */
public final class LinkedReplicas implements RemoteReplicas {
  private final LongSupplier epoch;
  private final InetAddress own;
  private @Nullable Link[] links = new Link[4];

  /**
   * Creates it without links.
   *
   * @param epoch the last entry of the metadata log that this node has applied
   * @param own where other nodes reach this one
   */
  public LinkedReplicas(LongSupplier epoch, InetAddress own) {
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
    ByteWriter out =
        link == null
            ? null
            : link.begin(
                repair ? MessageKind.REPAIR : MessageKind.MUTATION,
                epoch.getAsLong(),
                remainingNanos);
    if (link == null || out == null) {
      return NOT_SENT;
    }
    out.putLong(token).putBytes(mutation, offset, length);
    return link.end(reply, tag);
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
    ByteWriter out = link == null ? null : link.begin(message, epoch.getAsLong(), remainingNanos);
    if (link == null || out == null) {
      return NOT_SENT;
    }
    out.putLong(firstToken).putLong(lastToken).putInt(maxBytes);
    request.encode(out);
    return link.end(reply, tag);
  }

  @Override
  public long truncate(Member to, int tableId, long remainingNanos, int tag, ReplyHandler reply) {
    Link link = to(to);
    ByteWriter out =
        link == null ? null : link.begin(MessageKind.TRUNCATE, epoch.getAsLong(), remainingNanos);
    if (link == null || out == null) {
      return NOT_SENT;
    }
    out.putInt(tableId);
    return link.end(reply, tag);
  }

  @Override
  public void forget(Member to, long id) {
    Link link = to(to);
    if (link != null && id != NOT_SENT) {
      link.forget(id);
    }
  }

  @Override
  public byte @Nullable [] address(Member member) {
    Link link = to(member);
    return link == null || link.address().getAddress() == null
        ? null
        : link.address().getAddress().getAddress();
  }

  @Override
  public byte @Nullable [] localAddress() {
    return own.getAddress();
  }
}
