package io.helenus.server.transport;

import io.helenus.server.protocol.Authenticator;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.LargeMessage;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.protocol.Workspace;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.netty.channel.IoEventLoop;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, and the resources they share. At the end of each tick it sends
 * their output, and then resumes connections that were stalled by the limits. Used on the event
 * loop only, unless stated otherwise.
 */
final class ConnectionLoop {
  /**
   * The maximum memory of idle output buffers that are kept for reuse, because allocating them is
   * expensive.
   */
  private static final int KEPT_BYTES = 8 << 20;

  /**
   * How many pieces of large messages are sent in a tick, by all connections together. A piece is
   * copied twice, here and by the system: more of them would delay the requests that have arrived.
   */
  private static final int PIECES_PER_TICK = 4;

  private final TransportShard shard;
  private final TransportSettings settings;
  private final Authenticator authenticator;
  private final LargeSegments buffers;
  private final LargeSegments answers;
  private final Workspace workspace;
  private final InboundBuffer inboundBuffer = new InboundBuffer();
  private final List<ConnectionHandler> connections = new ArrayList<>();
  private final List<ConnectionHandler> unsent = new ArrayList<>();
  private final List<ConnectionHandler> largeUnsent = new ArrayList<>();
  private final List<ConnectionHandler> stalled = new ArrayList<>();
  private final List<OutputBuffer> idleBuffers = new ArrayList<>();
  private int idleBytes;
  private int piecesLeft;
  private final Runnable resumption = this::resumeStalled;
  private boolean resuming;
  private boolean draining;
  private @Nullable Runnable whenEmpty;

  /** Any thread, before the first connection. */
  ConnectionLoop(
      TransportShard shard,
      TransportSettings settings,
      Authenticator authenticator,
      long limitBytes,
      NodeMemory memory) {
    this.shard = shard;
    this.settings = settings;
    this.authenticator = authenticator;
    this.buffers = memory.segments(Use.BUFFERS);
    this.answers = memory.segments(Use.ANSWERS);
    this.workspace = new Workspace(limitBytes, settings.maxTextBytes(), memory);
  }

  /** Any thread. */
  IoEventLoop eventLoop() {
    return shard.loop();
  }

  RequestHandler handler() {
    return shard.handler();
  }

  FatalErrors fatal() {
    return shard.fatal();
  }

  TransportSettings settings() {
    return settings;
  }

  Authenticator authenticator() {
    return authenticator;
  }

  Workspace workspace() {
    return workspace;
  }

  InboundBuffer inboundBuffer() {
    return inboundBuffer;
  }

  void start() {
    shard.tickEnd().onTickEnd(this::flush);
  }

  void tick() {
    shard.tickEnd().tick();
  }

  void add(ConnectionHandler connection) {
    connections.add(connection);
    if (draining) {
      connection.drain();
    }
  }

  void remove(ConnectionHandler connection) {
    connections.remove(connection);
    stalled.remove(connection);
    notifyIfEmpty();
  }

  void outputPending(ConnectionHandler connection) {
    unsent.add(connection);
    tick();
  }

  void stalled(ConnectionHandler connection) {
    stalled.add(connection);
    tick();
  }

  /** Sends all output of the tick: pieces of large messages after everything else. */
  private void flush() {
    piecesLeft = PIECES_PER_TICK;
    int next = 0;
    // sending may make more output pending
    while (next < unsent.size()) {
      while (next < unsent.size()) {
        ConnectionHandler connection = unsent.get(next++);
        if (connection.hasLargeOutput()) {
          largeUnsent.add(connection);
        } else {
          flush(connection);
        }
      }
      for (int i = 0; i < largeUnsent.size(); i++) {
        flush(largeUnsent.get(i));
      }
      largeUnsent.clear();
    }
    unsent.clear();
    if (!resuming && hasRoomForStalled()) {
      resuming = true;
      shard.loop().execute(resumption);
    }
  }

  private static void flush(ConnectionHandler connection) {
    try {
      connection.flush();
    } catch (Throwable e) {
      connection.fail(e);
    }
  }

  private boolean hasRoomForStalled() {
    for (int i = 0; i < stalled.size(); i++) {
      if (stalled.get(i).hasRoom()) {
        return true;
      }
    }
    return false;
  }

  private void resumeStalled() {
    resuming = false;
    List<ConnectionHandler> waiting = new ArrayList<>(stalled);
    stalled.clear();
    for (ConnectionHandler connection : waiting) {
      try {
        connection.resume();
      } catch (Throwable e) {
        connection.fail(e);
      }
    }
    tick();
  }

  OutputBuffer takeBuffer() {
    if (idleBuffers.isEmpty()) {
      return OutputBuffer.reusable(buffers);
    }
    OutputBuffer taken = idleBuffers.removeLast();
    idleBytes -= taken.capacityBytes();
    return taken;
  }

  /** A buffer for a piece of a large message; null if no more pieces are sent in this tick. */
  @Nullable OutputBuffer takePiece() {
    if (piecesLeft == 0) {
      return null;
    }
    piecesLeft--;
    return OutputBuffer.piece(answers, LargeMessage.PIECE_BYTES);
  }

  /**
   * Sends more of a connection's output in a later tick, after the input of others: a task of the
   * loop would run before the sockets are polled again.
   */
  void continueLater(Runnable output) {
    shard.tickEnd().executeLast(output);
  }

  void recycle(OutputBuffer buffer) {
    if (buffer.isReusable() && idleBytes + buffer.capacityBytes() <= KEPT_BYTES) {
      buffer.reset();
      idleBytes += buffer.capacityBytes();
      idleBuffers.add(buffer);
    } else {
      buffer.release();
    }
  }

  void deliver(Event event) {
    for (int i = 0; i < connections.size(); i++) {
      ConnectionHandler connection = connections.get(i);
      try {
        connection.conversation().deliver(event);
      } catch (Throwable e) {
        connection.fail(e);
      }
    }
  }

  /** Stops reading requests; closes each connection when its last response has been sent. */
  void drain(Runnable onEmpty) {
    draining = true;
    whenEmpty = onEmpty;
    notifyIfEmpty();
    for (ConnectionHandler connection : new ArrayList<>(connections)) {
      connection.drain();
    }
  }

  private void notifyIfEmpty() {
    Runnable callback = whenEmpty;
    if (callback != null && connections.isEmpty()) {
      whenEmpty = null;
      callback.run();
    }
  }

  /** Reads requests again after a drain. */
  void resume() {
    draining = false;
  }

  void closeAll() {
    for (ConnectionHandler connection : new ArrayList<>(connections)) {
      connection.closeNow();
    }
  }
}
