package io.helenus.server.process;

import io.helenus.server.internode.Network;
import io.helenus.server.internode.StreamHandler;
import io.helenus.server.transport.EventLoops;
import io.helenus.server.transport.InboundBuffer;
import io.helenus.storage.env.FatalErrors;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The network between nodes, as sockets on the event loops of the shards. Any thread. */
public final class SocketNetwork implements Network {
  private static final Logger LOGGER = LoggerFactory.getLogger(SocketNetwork.class);
  private static final int BACKLOG = 256;
  private static final int CONNECT_MILLIS = 2_000;
  private static final long ACCEPT_PAUSE_MILLIS = 500;

  /** A channel is writable only when nothing waits in it, which is what a stream reports. */
  private static final WriteBufferWaterMark EMPTY = new WriteBufferWaterMark(1, 1);

  private final List<IoEventLoop> loops;
  private final List<InboundBuffer> buffers;
  private final FatalErrors fatal;

  /** Streams on these event loops, which are not stopped with it. */
  public SocketNetwork(List<IoEventLoop> loops, FatalErrors fatal) {
    this.loops = List.copyOf(loops);
    this.fatal = fatal;
    buffers = loops.stream().map(loop -> new InboundBuffer()).toList();
  }

  @Override
  public void connect(int loop, InetSocketAddress address, StreamHandler handler) {
    SocketChannel channel = EventLoops.channel();
    SocketStream stream = prepare(channel, loop, handler, address);
    EventLoopGroup group = loops.get(loop);
    group
        .register(channel)
        .addListener(
            registered -> {
              if (registered.isSuccess()) {
                channel.connect(address).addListener(stream::connectEnded);
              } else {
                channel.unsafe().closeForcibly();
                stream.notOpened(registered.cause());
              }
            });
  }

  private SocketStream prepare(
      SocketChannel channel, int loop, StreamHandler handler, InetSocketAddress remote) {
    channel
        .config()
        .setTcpNoDelay(true)
        .setKeepAlive(true)
        .setConnectTimeoutMillis(CONNECT_MILLIS)
        .setAllocator(UnpooledByteBufAllocator.DEFAULT)
        .setRecvByteBufAllocator(buffers.get(loop))
        .setWriteBufferWaterMark(EMPTY);
    SocketStream stream =
        new SocketStream(channel, loops.get(loop), buffers.get(loop), handler, remote, fatal);
    channel.pipeline().addLast(stream);
    return stream;
  }

  @Override
  public Closeable listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
    ServerChannel channel =
        EventLoops.listen(loops.getFirst(), new Accepting(acceptor), BACKLOG, address);
    return () -> channel.close().syncUninterruptibly();
  }

  @Override
  public InetAddress resolve(String host) throws UnknownHostException {
    return InetAddress.getByName(host);
  }

  /** Gives the accepted streams to the loops in turn. On the first loop. */
  private final class Accepting extends ChannelInboundHandlerAdapter {
    private final Acceptor acceptor;
    private int next;

    Accepting(Acceptor acceptor) {
      this.acceptor = acceptor;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      SocketChannel channel = (SocketChannel) message;
      int loop = next;
      next = (next + 1) % loops.size();
      SocketStream stream =
          prepare(channel, loop, acceptor.accepted(loop), channel.remoteAddress());
      EventLoopGroup group = loops.get(loop);
      group
          .register(channel)
          .addListener(
              registered -> {
                if (!registered.isSuccess()) {
                  channel.unsafe().closeForcibly();
                  stream.notOpened(registered.cause());
                }
              });
    }

    /**
     * Pauses accepting: after running out of file descriptors, for example, it would fail again at
     * once.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOGGER.warn(
          "Failed to accept a connection of another node; accepting again in {} ms",
          ACCEPT_PAUSE_MILLIS,
          fatal.contain(cause));
      ChannelConfig config = context.channel().config();
      if (config.isAutoRead()) {
        config.setAutoRead(false);
        context
            .channel()
            .eventLoop()
            .schedule(
                () -> {
                  config.setAutoRead(true);
                },
                ACCEPT_PAUSE_MILLIS,
                TimeUnit.MILLISECONDS);
      }
    }
  }
}
