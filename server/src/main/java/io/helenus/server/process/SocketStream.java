package io.helenus.server.process;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.StreamHandler;
import io.helenus.server.transport.InboundBuffer;
import io.helenus.storage.env.FatalErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.IoEventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream between nodes as a socket. What is written in a tick is copied to a buffer
 * that is used again as soon as the system has taken it. On the event loop, unless stated.
 */
final class SocketStream extends ChannelInboundHandlerAdapter implements ByteStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final IoEventLoop loop;
  private final InboundBuffer inbound;
  private final StreamHandler handler;
  private final InetSocketAddress remote;
  private final FatalErrors fatal;
  private @Nullable MemorySegment buffer;
  private ByteBuf view = Unpooled.EMPTY_BUFFER;
  private @Nullable String reason;
  private boolean waiting;
  private boolean opened;
  private boolean closed;

  /** Any thread. */
  SocketStream(
      SocketChannel channel,
      IoEventLoop loop,
      InboundBuffer inbound,
      StreamHandler handler,
      InetSocketAddress remote,
      FatalErrors fatal) {
    this.channel = channel;
    this.loop = loop;
    this.inbound = inbound;
    this.handler = handler;
    this.remote = remote;
    this.fatal = fatal;
  }

  /** The channel could not be registered. Any thread. */
  void notOpened(Throwable cause) {
    try {
      loop.execute(() -> report(text(cause)));
    } catch (RejectedExecutionException stopped) {
      // the loop has stopped, and with it everybody who would want to know
    }
  }

  /** An attempt to connect has ended. */
  void connectEnded(Future<?> attempt) {
    if (!attempt.isSuccess()) {
      report(text(attempt.cause()));
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    opened = true;
    handler.connected(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    String known = reason;
    report(known == null ? "closed by the other side" : known);
  }

  private void report(String why) {
    if (!closed) {
      closed = true;
      handler.closed(why);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    reason = text(fatal.contain(cause));
    context.close();
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    try {
      if (closed) {
        return;
      }
      int length = read.readableBytes();
      if (inbound.holds(read) && read.readerIndex() == 0) {
        handler.received(inbound.segment(), length);
      } else {
        handler.received(MemorySegment.ofBuffer(read.nioBuffer()), length);
      }
    } finally {
      read.release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (waiting && channel.isWritable()) {
      waiting = false;
      handler.drained();
    }
  }

  @Override
  public void write(MemorySegment bytes, long offset, int length) {
    if (closed || !opened || length == 0) {
      return;
    }
    channel.write(copy(bytes, offset, length), channel.voidPromise());
  }

  private ByteBuf copy(MemorySegment bytes, long offset, int length) {
    MemorySegment own = buffer;
    if (own == null) {
      own = Arena.ofAuto().allocate(BUFFER_BYTES, 8);
      buffer = own;
      view = Unpooled.wrappedBuffer(own.asByteBuffer());
    }
    if (length <= BUFFER_BYTES && view.refCnt() == 1) {
      MemorySegment.copy(bytes, offset, own, 0, length);
      return view.setIndex(0, length).retain();
    }
    ByteBuf larger = channel.alloc().directBuffer(length);
    return larger.writeBytes(bytes.asSlice(offset, length).asByteBuffer());
  }

  @Override
  public void flush() {
    channel.flush();
    waiting = !channel.isWritable();
  }

  @Override
  public long pendingBytes() {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    return pending == null ? 0 : pending.totalPendingWriteBytes();
  }

  @Override
  public void close() {
    if (reason == null) {
      reason = "closed";
    }
    channel.close();
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }
}
