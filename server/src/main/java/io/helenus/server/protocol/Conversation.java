package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol state of one connection, without a socket: it consumes incoming bytes, calls {@link
 * RequestHandler} and produces outgoing bytes. Performs the handshake, limits the requests in
 * flight, and holds back events until the responses they must follow. The response to a malformed
 * message is an error; the connection is closed only if the start of the next message cannot be
 * determined.
 *
 * <p>Used on the event loop of the connection only.
 */
public final class Conversation {
  /** The connection that carries the bytes. */
  public interface Peer {
    /** The buffer for outgoing bytes; the conversation appends to it. */
    ByteWriter output();

    /** Sends a large message after the output so far and before what is appended from now on. */
    void send(LargeMessage message);

    /** The output is no longer empty: seal and send it at the end of the tick. */
    void outputPending();

    /** Whether the client is reading its responses; if not, no further request is handled. */
    boolean takesOutput();

    /** Stops reading; closes the connection once the output has been sent. */
    void closeWhenSent();

    /** Closes the connection at once, because the output may be incomplete. */
    void closeNow();

    /** Logs an unexpected exception; does not return if it is fatal. */
    void unexpected(Throwable failure);
  }

  private final Session session;
  private final ConversationSettings settings;
  private final Authenticator authenticator;
  private final RequestHandler handler;
  private final Workspace workspace;
  private final Peer peer;
  private final InboundFrames inbound;
  private final OutboundFrames outbound;
  private final ConnectionEvents events;
  private @Nullable Compression compression;
  private Authenticator.@Nullable Negotiation negotiation;
  private boolean throwOnOverload;
  private boolean stalled;
  private boolean ending;
  private boolean closed;
  private @Nullable PooledExchange inFlight;
  private int inFlightRequests;
  private long inFlightBytes;

  /** A new connection, before its first byte. */
  public Conversation(
      Session session,
      ConversationSettings settings,
      Authenticator authenticator,
      RequestHandler handler,
      Workspace workspace,
      Peer peer) {
    this.session = session;
    this.settings = settings;
    this.authenticator = authenticator;
    this.handler = handler;
    this.workspace = workspace;
    this.peer = peer;
    this.inbound = new InboundFrames(new FrameSink(), workspace, settings.maxFrameBytes());
    this.outbound = new OutboundFrames(workspace);
    this.events = new ConnectionEvents(settings.maxHeldEvents(), this::send);
  }

  /** The state of the connection that is kept between requests. */
  public Session session() {
    return session;
  }

  /**
   * Handles complete messages as long as the limits allow. Returns the number of bytes consumed;
   * the remaining ones must be passed again, followed by later ones.
   */
  public int receive(MemorySegment source, int offset, int length) {
    stalled = false;
    try {
      return inbound.read(source, offset, length);
    } catch (CqlException e) {
      fail(0, 0, e.error());
      return length;
    }
  }

  /** Whether the last {@link #receive} stopped because the limits allowed no further request. */
  public boolean isStalled() {
    return stalled;
  }

  /** Whether part of a message has been consumed and the rest has not arrived. */
  public boolean isWithinMessage() {
    return inbound.isWithinMessage();
  }

  /** Whether the limits allow another request. */
  public boolean hasRoom() {
    return !ending && peer.takesOutput() && (throwOnOverload || !isOverloaded());
  }

  /** The number of requests that have not been answered. */
  public int inFlightRequests() {
    return inFlightRequests;
  }

  /** Completes the open segment; call this before sending the output. */
  public void sealOutput() {
    outbound.seal(peer.output());
  }

  /**
   * The connection has closed: cancels requests in flight if possible and drops their responses.
   */
  public void close() {
    closed = true;
    ending = true;
    events.clear();
    inbound.close();
    PooledExchange next;
    for (PooledExchange exchange = inFlight; exchange != null; exchange = next) {
      next = exchange.next();
      exchange.disconnected();
    }
  }

  /** Sends an event if the client has registered for its type. */
  public void deliver(Event event) {
    if (closed || ending || !events.isRegistered(event.type())) {
      return;
    }
    if (!events.deliver(event, peer.takesOutput())) {
      ending = true;
      peer.closeWhenSent();
    }
  }

  /** Sends the events that were held back, unless they must still wait. */
  public void deliverHeld() {
    while (!closed && peer.takesOutput() && events.areDue()) {
      events.sendNext();
    }
  }

  private void send(Event event) {
    ByteWriter body = workspace.body();
    Events.write(body, session.protocolVersion(), event);
    send(session.protocolVersion(), -1, Opcodes.EVENT, body);
  }

  void holdEvents() {
    events.hold();
  }

  /** Sends the response of an exchange, which then ends; takes over the rest of its body. */
  void answer(
      PooledExchange exchange,
      int flags,
      int opcode,
      ByteWriter prefix,
      ByteWriter body,
      @Nullable ByteChunks rest) {
    if (closed) {
      if (rest != null) {
        rest.release();
      }
      settle(exchange);
      return;
    }
    int version = exchange.protocolVersion();
    int stream = exchange.streamId();
    if (rest == null) {
      outbound.append(peer.output(), version, flags, stream, opcode, prefix, body);
    } else {
      peer.send(outbound.large(version, flags, stream, opcode, prefix, body, rest));
    }
    settle(exchange);
    peer.outputPending();
    if (events.areDue()) {
      deliverHeld();
    }
  }

  /** Ends a request and returns the bytes that it was charged. */
  private void settle(PooledExchange exchange) {
    inFlight = exchange.unlinkFrom(inFlight);
    inFlightRequests--;
    inFlightBytes -= exchange.requestBytes();
    workspace.release(exchange.requestBytes());
    if (exchange.holdsEvents()) {
      events.release();
    }
  }

  /** Closes the connection because not even an error could be sent for a request. */
  void abandon(PooledExchange exchange) {
    settle(exchange);
    ending = true;
    peer.closeNow();
  }

  void unexpected(Throwable failure) {
    peer.unexpected(failure);
  }

  private void send(int version, int stream, int opcode, ByteWriter body) {
    if (!closed) {
      outbound.append(peer.output(), version, 0, stream, opcode, workspace.nothing(), body);
      peer.outputPending();
    }
  }

  private void fail(int version, int stream, CqlError error) {
    ending = true;
    refuse(version, stream, error);
    peer.closeWhenSent();
  }

  /** Sends an error in a header that the client can read: its own version, or the highest one. */
  private void refuse(int version, int stream, CqlError error) {
    int settled = session.protocolVersion();
    int answered = settled != 0 ? settled : Math.min(version, ProtocolVersions.HIGHEST);
    ByteWriter body = workspace.body();
    ErrorBody.write(body, ProtocolVersions.HIGHEST, error);
    if (settled == 0 && (version == 1 || version == 2)) {
      ByteWriter out = peer.output();
      out.putByte(version | 0x80).putByte(0).putByte(stream).putByte(Opcodes.ERROR);
      out.putInt(body.size()).putBytes(body.segment(), 0, body.size());
      peer.outputPending();
      return;
    }
    send(
        answered < ProtocolVersions.LOWEST ? ProtocolVersions.HIGHEST : answered,
        stream,
        Opcodes.ERROR,
        body);
  }

  private boolean isOverloaded() {
    return inFlightRequests >= settings.maxInFlightRequests()
        || inFlightBytes >= settings.maxInFlightBytes()
        || !workspace.hasRoom();
  }

  /** Handles one complete message. */
  private void dispatch(
      int version, int flags, int stream, int opcode, MemorySegment source, int at, int length) {
    session.countRequest();
    String stageError = Handshake.stageError(session.stage(), opcode);
    if (stageError != null) {
      CqlError error = new CqlError.ProtocolError(stageError);
      if (session.stage() == Session.Stage.READY) {
        refuse(version, stream, error);
      } else {
        fail(version, stream, error);
      }
      return;
    }
    BodyCursor cursor = workspace.cursor();
    cursor.begin(source, at, length);
    if ((flags & FrameFlags.COMPRESSION) != 0
        && compression != null
        && version < ProtocolVersions.V5) {
      ByteWriter plain = workspace.decompressed();
      compression.decompress(source, at, length, plain, settings.maxFrameBytes());
      cursor.begin(plain.segment(), 0, plain.size());
    }
    if ((flags & FrameFlags.CUSTOM_PAYLOAD) != 0) {
      skipPayload(version, cursor);
    }
    switch (opcode) {
      case Opcodes.OPTIONS -> options(version, stream);
      case Opcodes.STARTUP -> startup(version, stream, cursor);
      case Opcodes.AUTH_RESPONSE -> authenticate(version, stream, cursor);
      case Opcodes.REGISTER -> register(version, stream, cursor);
      default -> request(version, flags, stream, opcode, cursor, length);
    }
  }

  private static void skipPayload(int version, BodyCursor cursor) {
    if (version < ProtocolVersions.V4) {
      throw CqlException.protocol(
          "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
    }
    for (int left = cursor.getShort(); left > 0; left--) {
      int keyLength = cursor.getShort();
      cursor.advance(keyLength);
      int valueLength = cursor.getInt();
      cursor.advance(Math.max(0, valueLength));
    }
  }

  private void options(int version, int stream) {
    ByteWriter body = workspace.body();
    Responses.supported(body, Handshake.SUPPORTED);
    send(version, stream, Opcodes.SUPPORTED, body);
  }

  private void startup(int version, int stream, BodyCursor cursor) {
    Map<String, String> options = Handshake.startupOptions(cursor);
    Handshake.requireCqlVersion(options.get("CQL_VERSION"));
    Compression chosen = Handshake.compression(options.get("COMPRESSION"), version, workspace);
    session.protocolVersion(version);
    session.startupOptions(Map.copyOf(options));
    throwOnOverload = "1".equals(options.get("THROW_ON_OVERLOAD"));
    String className = authenticator.className();
    ByteWriter body = workspace.body();
    if (className == null) {
      session.stage(Session.Stage.READY);
      send(version, stream, Opcodes.READY, body);
    } else {
      session.stage(Session.Stage.AUTHENTICATING);
      negotiation = authenticator.begin(session);
      Responses.authenticate(body, className);
      send(version, stream, Opcodes.AUTHENTICATE, body);
    }
    if (version >= ProtocolVersions.V5) {
      Compression.Lz4 lz4 = chosen instanceof Compression.Lz4 it ? it : null;
      Segments segments = new Segments(lz4, workspace.checksum());
      inbound.beginSegments(segments);
      outbound.beginSegments(segments);
    } else if (chosen != null) {
      compression = chosen;
      outbound.compress(chosen);
    }
  }

  private void authenticate(int version, int stream, BodyCursor cursor) {
    int length = Math.max(0, cursor.getInt());
    byte[] token = Bytes.toArray(cursor.segment(), cursor.advance(length), length);
    Authenticator.Negotiation current = negotiation;
    if (current == null) {
      ByteWriter body = workspace.body();
      Responses.token(body, null);
      send(version, stream, Opcodes.AUTH_SUCCESS, body);
      return;
    }
    PooledExchange exchange = begin(version, 0, stream, length);
    current.step(token, new AuthenticationOutcome(exchange));
  }

  private void register(int version, int stream, BodyCursor cursor) {
    events.register(cursor);
    send(version, stream, Opcodes.READY, workspace.body());
  }

  private void request(
      int version, int flags, int stream, int opcode, BodyCursor cursor, int length) {
    if (throwOnOverload && isOverloaded()) {
      throw new CqlException(
          new CqlError.Overloaded(
              "Request breached limit on requests or bytes in flight (connection: "
                  + inFlightRequests
                  + " requests, "
                  + inFlightBytes
                  + " bytes)"));
    }
    Request request =
        workspace
            .decoder()
            .decode(opcode, version, cursor.segment(), cursor.position(), cursor.remaining());
    PooledExchange exchange = begin(version, flags, stream, length);
    long use = exchange.uses();
    try {
      handler.handle(session, request, exchange);
    } catch (CqlException e) {
      if (exchange.uses() == use) {
        exchange.respondError(e.error());
      } else {
        peer.unexpected(e);
      }
    } catch (Throwable e) {
      peer.unexpected(e);
      if (exchange.uses() == use) {
        exchange.respondError(new CqlError.ServerError(e.toString()));
      }
    }
  }

  private PooledExchange begin(int version, int flags, int stream, int length) {
    PooledExchange exchange = workspace.exchange();
    exchange.begin(this, version, stream, (flags & FrameFlags.TRACING) != 0, length);
    exchange.linkBefore(inFlight);
    inFlight = exchange;
    inFlightRequests++;
    inFlightBytes += length;
    workspace.charge(length);
    return exchange;
  }

  private final class FrameSink implements InboundFrames.Sink {
    @Override
    public void frame(
        int version, int flags, int stream, int opcode, MemorySegment source, int at, int length) {
      try {
        dispatch(version, flags, stream, opcode, source, at, length);
      } catch (CqlException e) {
        refuse(version, stream, e.error());
      } catch (Throwable e) {
        // no exchange exists yet to respond to
        peer.unexpected(e);
        refuse(version, stream, new CqlError.ServerError(e.toString()));
      }
    }

    @Override
    public boolean hasRoom() {
      boolean room = Conversation.this.hasRoom();
      stalled = !room && !ending;
      return room;
    }

    @Override
    public void refuse(int version, int stream, CqlError error) {
      Conversation.this.refuse(version, stream, error);
    }

    @Override
    public void fail(int version, int stream, CqlError error) {
      Conversation.this.fail(version, stream, error);
    }

    @Override
    public int settledVersion() {
      return session.protocolVersion();
    }
  }

  private final class AuthenticationOutcome implements Authenticator.Outcome {
    private final PooledExchange exchange;

    AuthenticationOutcome(PooledExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void challenge(byte[] token) {
      ByteWriter body = exchange.body();
      Responses.token(body, token);
      exchange.respond(Opcodes.AUTH_CHALLENGE, body);
    }

    @Override
    public void success(String user) {
      session.user(user);
      session.stage(Session.Stage.READY);
      ByteWriter body = exchange.body();
      Responses.token(body, null);
      exchange.respond(Opcodes.AUTH_SUCCESS, body);
    }

    @Override
    public void failure(String message) {
      exchange.respondError(new CqlError.BadCredentials(message));
    }
  }
}
