package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Scheduler.Timer;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one shard to another node, and their replies. A link lives as long as it is
 * wanted: when its stream breaks, all who wait for replies are told, and it is dialled again.
 * Requests leave at the end of the tick, before the log is written. On the shard's thread.
 */
public final class Link {
  /** Instead of an id: the request was not sent, because the link is down or a limit is reached. */
  public static final long NOT_SENT = 0;

  /** Id, kind, remaining time, epoch and length. */
  static final int HEADER_BYTES = 25;

  static final int KIND_AT = 8;
  static final int REMAINING_AT = 9;
  static final int EPOCH_AT = 13;
  static final int LENGTH_AT = 21;
  private static final long MOST_MICROS = 0xFFFF_FFFFL;

  private final Shard shard;
  private final LinkEnvironment environment;
  private final LinkListener listener;
  private final OutputQueue queue;
  private final LinkCounters counters = new LinkCounters();
  private final ReplyTable replies;
  private final @Nullable UUID expected;
  private InetSocketAddress address;
  private @Nullable Connection connection;
  private @Nullable NodeIdentity peer;
  private @Nullable Timer redial;
  private int digestVersion;
  private int maxMessageBytes;
  private long redialNanos;
  private boolean up;
  private boolean closed;

  Link(
      Shard shard,
      LinkEnvironment environment,
      LinkListener listener,
      OutputQueue queue,
      @Nullable UUID expected,
      InetSocketAddress address) {
    this.shard = shard;
    this.environment = environment;
    this.listener = listener;
    this.queue = queue;
    this.expected = expected;
    this.address = address;
    replies = new ReplyTable(environment.settings().maxReplies());
    redialNanos = environment.settings().firstRedialNanos();
  }

  /** Whether requests can be sent. */
  public boolean isUp() {
    return up;
  }

  /** The node that was reached last; null before. */
  public @Nullable NodeIdentity peer() {
    return peer;
  }

  /** The host that the link is for; null if it is for whoever has the address. */
  public @Nullable UUID expected() {
    return expected;
  }

  /** The address that is dialled. */
  public InetSocketAddress address() {
    return address;
  }

  /** The version of digests that both sides compute; valid once the link was up. */
  public int digestVersion() {
    return digestVersion;
  }

  /** How many requests wait for a reply. */
  public int waiting() {
    return replies.waiting();
  }

  /** What the link has done so far. */
  public LinkCounts counts() {
    return counters.counts();
  }

  /**
   * Begins a request.
   *
   * @param kind what the body is
   * @param epoch the last entry of the metadata log that the request was planned with
   * @param remainingNanos the time until its deadline
   * @return where the body is appended, before {@link #end} or {@link #endOneWay}; null if it
   *     cannot be sent. A request that is not ended is discarded.
   */
  public @Nullable ByteWriter begin(byte kind, long epoch, long remainingNanos) {
    Connection open = connection;
    if (!up || open == null) {
      return null;
    }
    if (remainingNanos <= 0) {
      counters.late++;
      return null;
    }
    if (open.pendingBytes() >= environment.settings().maxPendingBytes()) {
      counters.dropped++;
      return null;
    }
    ByteWriter out = open.output().begin();
    int at = out.reserve(HEADER_BYTES);
    long micros = Math.min(MOST_MICROS, (remainingNanos + 999) / 1_000);
    out.setByte(at + KIND_AT, kind);
    out.setInt(at + REMAINING_AT, (int) micros);
    out.setLong(at + EPOCH_AT, epoch);
    return out;
  }

  /**
   * Ends the request that was begun; it leaves at the end of the tick.
   *
   * @param tag handed to the handler, for instance the number of the replica
   * @return the id, to {@link #forget} it, or {@link #NOT_SENT}
   */
  public long end(ReplyHandler handler, int tag) {
    FrameWriter output = finish();
    if (output == null) {
      return NOT_SENT;
    }
    long id = replies.enter(handler, tag);
    if (id == NOT_SENT) {
      counters.dropped++;
      output.abandon();
      return NOT_SENT;
    }
    send(output, id);
    return id;
  }

  /** Ends a message that asks for no reply; false if it was not sent. */
  public boolean endOneWay() {
    FrameWriter output = finish();
    if (output == null) {
      return false;
    }
    send(output, 0);
    return true;
  }

  /** Writes the length of the open message; null if there is none any more, or it is too long. */
  private @Nullable FrameWriter finish() {
    Connection open = connection;
    if (!up || open == null || !open.output().isOpen()) {
      return null;
    }
    FrameWriter output = open.output();
    int start = output.messageStart();
    int length = output.writer().size() - start - HEADER_BYTES;
    if (length > maxMessageBytes) {
      counters.dropped++;
      output.abandon();
      return null;
    }
    output.writer().setInt(start + LENGTH_AT, length);
    return output;
  }

  private void send(FrameWriter output, long id) {
    output.writer().setLong(output.messageStart(), id);
    output.end();
    Connection open = connection;
    if (open != null) {
      open.outputPending();
    }
  }

  /** Discards the request that was begun. */
  public void abandon() {
    Connection open = connection;
    if (open != null) {
      open.output().abandon();
    }
  }

  /** Sends a request with a body that is copied; the id, or {@link #NOT_SENT}. */
  public long send(
      byte kind,
      long epoch,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length,
      ReplyHandler handler,
      int tag) {
    ByteWriter out = begin(kind, epoch, remainingNanos);
    if (out == null) {
      return NOT_SENT;
    }
    out.putBytes(body, offset, length);
    return end(handler, tag);
  }

  /** Nobody waits for the reply any more: it is counted and dropped when it comes. */
  public void forget(long id) {
    ReplyHandler ignored = replies.remove(id);
  }

  /** Changes the address; a link that is up keeps its stream. */
  void address(InetSocketAddress newAddress) {
    if (!address.equals(newAddress)) {
      address = newAddress;
      redialNanos = environment.settings().firstRedialNanos();
      if (!up && !closed) {
        Connection dialled = connection;
        if (dialled != null) {
          dialled.end("its address has changed");
        }
        dial();
      }
    }
  }

  /** Opens the stream now. */
  void dial() {
    cancelRedial();
    Attempt attempt = new Attempt();
    Connection dialled = new Connection(shard, environment, counters, queue, attempt);
    attempt.connection = dialled;
    connection = dialled;
    dialled.limitHandshake();
    environment.network().connect(shard.index(), address, dialled);
  }

  /** The node is there, as it has opened a link to this one: a dial that waits begins now. */
  void dialNow() {
    if (redial != null) {
      redialNanos = environment.settings().firstRedialNanos();
      dial();
    }
  }

  private void cancelRedial() {
    Timer timer = redial;
    if (timer != null) {
      timer.cancel();
      redial = null;
    }
  }

  /** See {@link Connection#check}. */
  void check(boolean excused) {
    Connection open = connection;
    if (open != null) {
      open.check(excused);
    }
  }

  /** Closes the link for good. */
  void close(String reason) {
    closed = true;
    cancelRedial();
    Connection open = connection;
    if (open != null) {
      open.end(reason);
    }
  }

  private void ended(@Nullable NodeIdentity reached, String reason) {
    connection = null;
    boolean wasUp = up;
    up = false;
    if (!closed) {
      redialLater();
    }
    if (wasUp && reached != null) {
      listener.down(this, reached, reason);
    } else {
      listener.failed(this, reached, reason);
    }
    replies.breakAll();
  }

  private void redialLater() {
    long jitter = Long.remainderUnsigned(environment.randomness().nextLong(), redialNanos / 2 + 1);
    redial = shard.schedule(this::redial, redialNanos - jitter);
    redialNanos = Math.min(2 * redialNanos, environment.settings().lastRedialNanos());
  }

  private void redial() {
    redial = null;
    if (!closed && connection == null) {
      dial();
    }
  }

  /** One stream of the link. */
  private final class Attempt implements Connection.Owner {
    private @Nullable Connection connection;
    private @Nullable NodeIdentity reached;

    private Connection own() {
      Connection mine = connection;
      if (mine == null) {
        throw new IllegalStateException("used before it was dialled");
      }
      return mine;
    }

    @Override
    public void opened() {
      NodeIdentity self = environment.self().get();
      Handshake handshake =
          new Handshake(
              Handshake.VERSION,
              Handshake.VERSION,
              environment.digestVersion(),
              shard.index(),
              self);
      ByteWriter body = new ByteWriter(256);
      handshake.write(body);
      own().sendHandshake(body);
    }

    @Override
    public void handshake(MemorySegment bytes, long offset, int length)
        throws MalformedBytesException {
      Handshake.Answer answer = Handshake.Answer.read(bytes, offset, length);
      NodeIdentity other = answer.node();
      reached = other;
      peer = other;
      String refusal = refusal(answer, other);
      if (refusal != null) {
        own().end(refusal);
        return;
      }
      own().identified();
      counters.connections++;
      digestVersion = answer.digestVersion();
      maxMessageBytes = Math.min(other.maxMessageBytes(), environment.settings().maxMessageBytes());
      redialNanos = environment.settings().firstRedialNanos();
      up = true;
      listener.up(Link.this, other);
    }

    private @Nullable String refusal(Handshake.Answer answer, NodeIdentity other) {
      if (!answer.refusal().isEmpty()) {
        return answer.refusal();
      }
      if (answer.version() != Handshake.VERSION) {
        return "it answered with version " + answer.version() + " of the protocol";
      }
      if (expected != null && !expected.equals(other.hostId())) {
        return address + " is node " + other.hostId() + ", not " + expected;
      }
      return environment.check().refusal(other);
    }

    @Override
    public void heard(long epoch) {
      NodeIdentity known = reached;
      if (known != null) {
        listener.heard(known.hostId(), epoch);
      }
    }

    @Override
    public void messages(MemorySegment bytes, long offset, int length, long waitedNanos)
        throws MalformedBytesException {
      ReplyReader.read(bytes, offset, length, Link.this, own());
    }

    @Override
    public void flushing() {
      // requests are in the output already
    }

    @Override
    public void ended(String reason) {
      Link.this.ended(reached, reason);
    }
  }

  /** A reply has arrived; without a body it is an acknowledgement. */
  void replied(long id, MemorySegment bytes, long offset, int length) {
    counters.messagesIn++;
    ReplyHandler handler = replies.remove(id);
    if (handler == null) {
      counters.lateReplies++;
    } else {
      handler.replied(replies.tag(id), bytes, offset, length);
    }
  }

  /** A refusal has arrived. */
  void refused(long id, MemorySegment bytes, long offset, int length) {
    counters.messagesIn++;
    ReplyHandler handler = replies.remove(id);
    if (handler == null) {
      counters.lateReplies++;
    } else {
      byte[] utf8 = Bytes.toArray(bytes, offset + ReplyReader.REFUSAL_BYTES, length);
      handler.failed(
          replies.tag(id),
          Bytes.getByte(bytes, offset + ReplyReader.CODE_AT),
          new String(utf8, StandardCharsets.UTF_8));
    }
  }
}
