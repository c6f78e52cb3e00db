package io.helenus.server.transport;

import io.helenus.server.protocol.Conversation;
import io.helenus.server.protocol.LargeMessage;
import io.helenus.server.protocol.Session;
import io.helenus.storage.bytes.ByteWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel of one client: copies bytes between the socket and its {@link Conversation}.
 * Allocates a buffer only while waiting for the rest of a message. Used on the event loop only.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements Conversation.Peer {
  private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionHandler.class);
  private static final int INITIAL_PENDING_BYTES = 4 << 10;

  /** The time for the client to read a final error and close before the server closes. */
  private static final long LINGER_MILLIS = 1000;

  private enum Ending {
    NOT,
    WHEN_SENT,
    LINGERING
  }

  private final ConnectionLoop loop;
  private final SocketChannel channel;
  private final Conversation conversation;
  private final ConnectionOutput output;
  private @Nullable ByteWriter pending;
  private int reads;
  private boolean watched;
  private boolean listedAsUnsent;
  private boolean continues;
  private boolean listedAsStalled;
  private boolean draining;
  private boolean closed;
  private Ending ending = Ending.NOT;

  ConnectionHandler(ConnectionLoop loop, SocketChannel channel) {
    this.loop = loop;
    this.channel = channel;
    this.output = new ConnectionOutput(loop, channel);
    this.conversation =
        new Conversation(
            new Session(channel.remoteAddress()),
            loop.settings().conversation(),
            loop.authenticator(),
            loop.handler(),
            loop.workspace(),
            this);
  }

  Conversation conversation() {
    return conversation;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    loop.add(this);
    loop.eventLoop()
        .schedule(
            () -> {
              if (conversation.session().stage() != Session.Stage.READY) {
                closeNow();
              }
            },
            loop.settings().startupTimeoutMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!closed) {
      closed = true;
      conversation.close();
      releasePending();
      output.close();
      loop.remove(this);
    }
  }

  private void releasePending() {
    ByteWriter kept = pending;
    if (kept != null) {
      pending = null;
      kept.release();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    try {
      if (!closed && ending == Ending.NOT) {
        loop.tick();
        reads++;
        receive(read);
        if (isUnfinished() && !watched) {
          watch();
        }
      }
    } finally {
      read.release();
    }
  }

  private void receive(ByteBuf read) {
    MemorySegment source = loop.inboundBuffer().segment();
    int offset = read.readerIndex();
    int length = read.readableBytes();
    if (!loop.inboundBuffer().holds(read)) {
      source = MemorySegment.ofBuffer(read.nioBuffer());
      offset = 0;
    }
    if (pending != null) {
      pending.putBytes(source, offset, length);
      receivePending();
      return;
    }
    int used = conversation.receive(source, offset, length);
    if (used < length && ending == Ending.NOT && !closed) {
      int rest = length - used;
      ByteWriter kept = loop.workspace().arriving(Math.max(INITIAL_PENDING_BYTES, rest));
      pending = kept.putBytes(source, offset + used, rest);
      stopReadingWhenStalled();
    }
  }

  private void receivePending() {
    ByteWriter kept = pending;
    if (kept == null) {
      return;
    }
    int size = kept.size();
    int used = conversation.receive(kept.segment(), 0, size);
    if (used == size || ending != Ending.NOT || closed) {
      releasePending();
    } else if (used > 0) {
      MemorySegment.copy(kept.segment(), used, kept.segment(), 0, size - used);
      kept.truncate(size - used);
    }
    stopReadingWhenStalled();
  }

  /** Whether a message has been received only in part. */
  private boolean isUnfinished() {
    return !listedAsStalled && (pending != null || conversation.isWithinMessage());
  }

  /**
   * Starts the timer for an unfinished message. If no byte arrives before it fires, the connection
   * is closed; otherwise it is restarted until the message is complete.
   */
  private void watch() {
    watched = true;
    int readsBefore = reads;
    loop.eventLoop()
        .schedule(
            () -> checkProgress(readsBefore),
            loop.settings().unfinishedMessageTimeoutMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void checkProgress(int readsBefore) {
    watched = false;
    if (closed || ending != Ending.NOT) {
      return;
    }
    if (reads == readsBefore && isUnfinished()) {
      LOGGER.debug(
          "Closing connection from {}: timed out waiting for the rest of a message",
          conversation.session().remoteAddress());
      closeNow();
    } else if (listedAsStalled || isUnfinished()) {
      watch();
    }
  }

  private void stopReadingWhenStalled() {
    if (conversation.isStalled() && pending != null && !listedAsStalled) {
      listedAsStalled = true;
      channel.config().setAutoRead(false);
      loop.stalled(this);
    }
  }

  boolean hasRoom() {
    return conversation.hasRoom();
  }

  /** Handles the bytes left over from when the limits allowed no further request. */
  void resume() {
    listedAsStalled = false;
    if (closed || draining) {
      return;
    }
    receivePending();
    if (!listedAsStalled) {
      channel.config().setAutoRead(true);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    loop.tick();
    if (channel.isWritable() && !closed) {
      output.recycleSent();
      conversation.deliverHeld();
      if (output.isWaiting()) {
        outputPending();
      }
    }
  }

  @Override
  public ByteWriter output() {
    return output.writer();
  }

  @Override
  public void send(LargeMessage message) {
    output.add(message, conversation);
  }

  @Override
  public void outputPending() {
    if (!listedAsUnsent && !closed) {
      listedAsUnsent = true;
      loop.outputPending(this);
    }
  }

  @Override
  public boolean takesOutput() {
    return output.takesMore();
  }

  @Override
  public void closeWhenSent() {
    if (ending == Ending.NOT) {
      ending = Ending.WHEN_SENT;
      outputPending();
    }
  }

  @Override
  public void unexpected(Throwable failure) {
    Exception contained = loop.fatal().contain(failure);
    LOGGER.error(
        "Unexpected exception handling a request from {}",
        conversation.session().remoteAddress(),
        contained);
  }

  /** Whether the output has large messages, which are sent piece by piece. */
  boolean hasLargeOutput() {
    return output.isWaiting();
  }

  /** Sends the output of the tick, or as much of it as the client takes. */
  void flush() {
    listedAsUnsent = false;
    if (closed) {
      return;
    }
    ConnectionOutput.Flushed flushed = output.flush(conversation);
    if (flushed != ConnectionOutput.Flushed.ALL) {
      if (flushed == ConnectionOutput.Flushed.UNTIL_END_OF_TICK && !continues) {
        continues = true;
        loop.continueLater(this::continueOutput);
      }
      return;
    }
    if (ending == Ending.WHEN_SENT) {
      linger();
    } else if (draining && conversation.inFlightRequests() == 0) {
      closeAfterLastWrite();
    }
  }

  private void continueOutput() {
    continues = false;
    outputPending();
  }

  /**
   * Shuts down the output and waits for the client to close: closing a socket with unread input
   * resets the connection, and the client might lose the error.
   */
  private void linger() {
    ending = Ending.LINGERING;
    channel.config().setAutoRead(true);
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            sent -> {
              channel.shutdownOutput();
              loop.eventLoop().schedule(this::closeNow, LINGER_MILLIS, TimeUnit.MILLISECONDS);
            });
  }

  private void closeAfterLastWrite() {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Stops reading requests; closes when the last response has been sent. */
  void drain() {
    draining = true;
    channel.config().setAutoRead(false);
    outputPending();
  }

  @Override
  public void closeNow() {
    channel.close();
  }

  /**
   * Closes the connection after an unexpected exception, because the state of its stream is
   * unknown.
   */
  void fail(Throwable failure) {
    unexpected(failure);
    closeNow();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      closeNow();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOGGER.debug("Connection from {} failed", conversation.session().remoteAddress(), cause);
      closeNow();
    } else {
      fail(cause);
    }
  }
}
