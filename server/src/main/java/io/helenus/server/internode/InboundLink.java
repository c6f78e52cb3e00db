package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests of another node to one shard, on one stream, and the replies to them, which leave at
 * the end of the tick, after the log was written. Once the stream is closed, replies are ignored.
 * On the shard's thread.
 */
public final class InboundLink {
  /**
   * The code of a refusal of the link itself: the reply is too long, or too much waits to be sent.
   */
  public static final byte NOT_REPLIED = 0;

  /** So many acknowledgements are one message. */
  private static final int ACKNOWLEDGEMENTS = 4_096;

  /** What may wait above the limit, if it is small. */
  private static final long SLACK_BYTES = 1 << 20;

  private static final int TEXT_BYTES = 1 << 10;

  private final Shard shard;
  private final LinkEnvironment environment;
  private final LinkCounters counters;
  private final RequestReceiver receiver;
  private final InboundLinks links;
  private final Connection connection;
  private long[] acknowledged = new long[16];
  private int acknowledgements;
  private int digestVersion;
  private int maxMessageBytes;
  private boolean unidentified = true;
  private @Nullable NodeIdentity peer;

  /** The reply that was begun. */
  private long replying;

  InboundLink(
      Shard shard, LinkEnvironment environment, RequestReceiver receiver, InboundLinks links) {
    this.shard = shard;
    this.environment = environment;
    this.receiver = receiver;
    this.links = links;
    counters = links.counters();
    connection = new Connection(shard, environment, counters, links.queue(), new Side());
  }

  /** Receives what happens to the stream. */
  StreamHandler handler() {
    return connection;
  }

  /** The node that sends the requests. */
  public NodeIdentity peer() {
    NodeIdentity known = peer;
    if (known == null) {
      throw new IllegalStateException("used before the handshake");
    }
    return known;
  }

  /** The shard that the link belongs to. */
  public Shard shard() {
    return shard;
  }

  /** The version of digests that both sides compute. */
  public int digestVersion() {
    return digestVersion;
  }

  /** Whether replies still go anywhere. */
  public boolean isOpen() {
    return peer != null && !connection.isEnded();
  }

  /** Replies without a body. */
  public void acknowledge(long id) {
    if (connection.isEnded() || isStuck()) {
      return;
    }
    if (acknowledgements == acknowledged.length) {
      acknowledged = Arrays.copyOf(acknowledged, 2 * acknowledgements);
    }
    acknowledged[acknowledgements++] = id;
    connection.outputPending();
  }

  /** Replies with a body that is copied. */
  public void reply(long id, MemorySegment body, long offset, int length) {
    ByteWriter out = beginReply(id);
    if (out != null) {
      out.putBytes(body, offset, length);
      endReply();
    }
  }

  /**
   * Begins a reply.
   *
   * @return where the body is appended, before {@link #endReply}; null if the link is closed. A
   *     reply that is not ended is discarded.
   */
  public @Nullable ByteWriter beginReply(long id) {
    if (connection.isEnded()) {
      return null;
    }
    ByteWriter out = connection.output().begin();
    out.putByte(ReplyReader.REPLY).putLong(id).putInt(0);
    replying = id;
    return out;
  }

  /** Ends the reply that was begun. One that cannot be sent becomes a refusal. */
  public void endReply() {
    FrameWriter output = connection.output();
    if (connection.isEnded() || !output.isOpen()) {
      return;
    }
    int start = output.messageStart();
    int length = output.writer().size() - start - ReplyReader.REPLY_BYTES;
    if (length > maxMessageBytes) {
      unsent("the reply of " + length + " bytes is above " + maxMessageBytes);
    } else if (connection.pendingBytes() > environment.settings().maxPendingBytes()) {
      unsent("too much waits to be sent to " + peer().hostId());
    } else {
      output.writer().setInt(start + ReplyReader.REPLY_LENGTH_AT, length);
      output.end();
      connection.outputPending();
    }
  }

  private void unsent(String text) {
    connection.output().abandon();
    counters.dropped++;
    refuse(replying, NOT_REPLIED, text);
  }

  /** Discards the reply that was begun. */
  public void abandon() {
    connection.output().abandon();
  }

  /**
   * Replies that the request was not carried out.
   *
   * @param code one of the users' codes, not {@link #NOT_REPLIED}
   * @param text the reason; cut off after 1 KiB
   */
  public void refuse(long id, byte code, String text) {
    if (connection.isEnded() || isStuck()) {
      return;
    }
    byte[] utf8 = Handshake.shortened(text, TEXT_BYTES);
    ByteWriter out = connection.output().begin();
    out.putByte(ReplyReader.REFUSAL).putLong(id).putByte(code);
    out.putShort(utf8.length).putBytes(utf8);
    connection.output().end();
    connection.outputPending();
  }

  /** Ends the connection if even small replies are not read. */
  private boolean isStuck() {
    if (connection.pendingBytes() <= environment.settings().maxPendingBytes() + SLACK_BYTES) {
      return false;
    }
    counters.dropped++;
    connection.end("the other side does not read the replies");
    return true;
  }

  /** Closes the link. */
  public void close(String reason) {
    connection.end(reason);
  }

  /** Closes the stream unless its node is known: there are too many of these. */
  void giveWay() {
    if (unidentified) {
      connection.end("too many streams have no handshake");
    }
  }

  /** See {@link Connection#check}. */
  void check(boolean excused) {
    connection.check(excused);
  }

  private void leaveUnidentified() {
    if (unidentified) {
      unidentified = false;
      links.identifiedOrGone(this);
    }
  }

  private void acceptOrRefuse(Handshake handshake) {
    NodeIdentity self = environment.self().get();
    NodeIdentity other = handshake.node();
    String refusal = refusal(handshake);
    digestVersion = Math.min(handshake.digestVersion(), environment.digestVersion());
    Handshake.Answer answer =
        new Handshake.Answer(
            Handshake.VERSION, digestVersion, shard.index(), self, refusal == null ? "" : refusal);
    ByteWriter body = new ByteWriter(256);
    answer.write(body);
    connection.sendHandshake(body);
    if (refusal != null) {
      // the other side closes the stream when it has read why; if not, the time for the handshake
      // runs out
      return;
    }
    leaveUnidentified();
    peer = other;
    maxMessageBytes = Math.min(other.maxMessageBytes(), environment.settings().maxMessageBytes());
    connection.identified();
    counters.connections++;
    receiver.opened(this, other);
  }

  private @Nullable String refusal(Handshake handshake) {
    if (handshake.oldestVersion() > Handshake.VERSION
        || handshake.newestVersion() < Handshake.VERSION) {
      return "this node speaks version "
          + Handshake.VERSION
          + " of the protocol between nodes, the other one "
          + handshake.oldestVersion()
          + " to "
          + handshake.newestVersion();
    }
    return environment.check().refusal(handshake.node());
  }

  /** Encodes the acknowledgements of the tick. */
  private void flushAcknowledgements() {
    int done = 0;
    while (done < acknowledgements) {
      int count = Math.min(ACKNOWLEDGEMENTS, acknowledgements - done);
      ByteWriter out = connection.output().begin();
      out.putByte(ReplyReader.ACKNOWLEDGEMENTS).putInt(count);
      for (int i = 0; i < count; i++) {
        out.putLong(acknowledged[done++]);
      }
      connection.output().end();
      counters.messagesOut += count - 1;
    }
    acknowledgements = 0;
  }

  private final class Side implements Connection.Owner {
    private boolean answered;

    @Override
    public void opened() {
      links.add(InboundLink.this);
      connection.limitHandshake();
    }

    @Override
    public void handshake(MemorySegment bytes, long offset, int length)
        throws MalformedBytesException {
      if (answered) {
        throw new MalformedBytesException("it goes on although it was refused");
      }
      answered = true;
      acceptOrRefuse(Handshake.read(bytes, offset, length));
    }

    @Override
    public void heard(long epoch) {
      receiver.heard(peer().hostId(), epoch);
    }

    @Override
    public void messages(MemorySegment bytes, long offset, int length, long waitedNanos)
        throws MalformedBytesException {
      long at = offset;
      long end = offset + length;
      while (at < end && !connection.isEnded()) {
        ReplyReader.need(at, end, Link.HEADER_BYTES);
        int bodyLength = Bytes.getInt(bytes, at + Link.LENGTH_AT);
        if (bodyLength < 0) {
          throw new MalformedBytesException("a request of negative length");
        }
        ReplyReader.need(at, end, (long) Link.HEADER_BYTES + bodyLength);
        request(bytes, at, bodyLength, waitedNanos);
        at += Link.HEADER_BYTES + bodyLength;
      }
    }

    private void request(MemorySegment bytes, long at, int bodyLength, long waitedNanos) {
      counters.messagesIn++;
      long micros = Bytes.getInt(bytes, at + Link.REMAINING_AT) & 0xFFFF_FFFFL;
      long remainingNanos = 1_000 * micros - waitedNanos;
      if (remainingNanos <= 0) {
        counters.late++;
        return;
      }
      receiver.received(
          InboundLink.this,
          Bytes.getLong(bytes, at),
          Bytes.getByte(bytes, at + Link.KIND_AT),
          Bytes.getLong(bytes, at + Link.EPOCH_AT),
          remainingNanos,
          bytes,
          at + Link.HEADER_BYTES,
          bodyLength);
    }

    @Override
    public void flushing() {
      flushAcknowledgements();
    }

    @Override
    public void ended(String reason) {
      leaveUnidentified();
      links.remove(InboundLink.this);
      NodeIdentity known = peer;
      if (known != null) {
        receiver.closed(InboundLink.this, known, reason);
      }
    }
  }
}
