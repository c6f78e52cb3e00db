package io.helenus.server.transport;

import io.helenus.server.protocol.Authenticator;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.Session;
import io.helenus.storage.memory.NodeMemory;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts client connections: listens, assigns connections to the shards in turn, publishes events,
 * and stops without losing responses. Methods may be called from any thread.
 */
public final class ClientTransport {
  private static final Logger LOGGER = LoggerFactory.getLogger(ClientTransport.class);
  private static final long ACCEPT_PAUSE_MILLIS = 500;
  private static final int LOW_WATER_BYTES = 256 << 10;
  private static final int HIGH_WATER_BYTES = 1 << 20;

  private final TransportSettings settings;
  private final List<ConnectionLoop> loops = new ArrayList<>();
  private final ConnectionLimits limits;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private @Nullable Channel listener;

  /**
   * Serves clients on these shards; the event loops are not stopped with the transport.
   *
   * @param memory supplies the memory for large messages
   */
  public ClientTransport(
      TransportSettings settings,
      List<TransportShard> shards,
      Authenticator authenticator,
      NodeMemory memory) {
    this.settings = settings;
    this.limits =
        new ConnectionLimits(settings.maxConnections(), settings.maxConnectionsPerAddress());
    for (TransportShard shard : shards) {
      loops.add(
          new ConnectionLoop(
              shard, settings, authenticator, settings.maxInFlightBytes() / shards.size(), memory));
    }
  }

  /**
   * Starts listening; returns the address, with the actual port if 0 was given.
   *
   * @throws IOException if the address cannot be bound
   */
  public InetSocketAddress start(InetSocketAddress address) throws IOException {
    for (ConnectionLoop loop : loops) {
      loop.eventLoop().execute(loop::start);
    }
    return listen(address);
  }

  private InetSocketAddress listen(InetSocketAddress address) throws IOException {
    Channel channel =
        EventLoops.listen(
            loops.getFirst().eventLoop(), new Acceptor(), settings.backlog(), address);
    listener = channel;
    return (InetSocketAddress) channel.localAddress();
  }

  /**
   * Accepts connections and requests again after {@link #stop} has completed.
   *
   * @throws IOException if the address cannot be bound
   */
  public void resume(InetSocketAddress address) throws IOException {
    for (ConnectionLoop loop : loops) {
      loop.eventLoop().execute(loop::resume);
    }
    InetSocketAddress bound = listen(address);
    assert bound.getPort() == address.getPort();
  }

  /** Sends an event to all clients that registered for it; events keep their order. */
  public void publish(Event event) {
    for (ConnectionLoop loop : loops) {
      loop.eventLoop()
          .execute(
              () -> {
                loop.tick();
                loop.deliver(event);
              });
    }
  }

  /**
   * A snapshot of the open connections. The sessions are live: other threads keep updating them.
   */
  public List<Session> sessions() {
    return List.copyOf(sessions);
  }

  /** Stops listening; open connections are kept. */
  public void stopAccepting() {
    Channel channel = listener;
    if (channel != null) {
      channel.close().syncUninterruptibly();
    }
  }

  /**
   * Stops listening, accepts no more requests, waits for those in flight, and closes each
   * connection when its last request has been answered; after the grace period, closes the
   * remaining connections too. The result completes on an event loop when all connections are
   * closed.
   */
  public CompletableFuture<Void> stop(long graceMillis) {
    stopAccepting();
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    AtomicInteger open = new AtomicInteger(loops.size());
    for (ConnectionLoop loop : loops) {
      loop.eventLoop()
          .execute(
              () -> {
                var lateClose =
                    loop.eventLoop().schedule(loop::closeAll, graceMillis, TimeUnit.MILLISECONDS);
                loop.drain(
                    () -> {
                      lateClose.cancel(false);
                      if (open.decrementAndGet() == 0) {
                        stopped.complete(null);
                      }
                    });
              });
    }
    return stopped;
  }

  /** Accepts connections on the first loop and assigns them to all loops in turn. */
  private final class Acceptor extends ChannelInboundHandlerAdapter {
    private int next;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      SocketChannel channel = (SocketChannel) message;
      InetAddress address = channel.remoteAddress().getAddress();
      if (!limits.admit(address)) {
        LOGGER.debug("Refused a connection from {}: too many connections", address);
        channel.unsafe().closeForcibly();
        return;
      }
      ConnectionLoop loop = loops.get(next);
      next = (next + 1) % loops.size();
      ConnectionHandler connection = new ConnectionHandler(loop, channel);
      configure(channel, loop);
      channel.pipeline().addLast(connection);
      Session session = connection.conversation().session();
      sessions.add(session);
      EventLoopGroup group = loop.eventLoop();
      group
          .register(channel)
          .addListener(
              registered -> {
                if (registered.isSuccess()) {
                  channel.closeFuture().addListener(closed -> forget(session, address));
                } else {
                  channel.unsafe().closeForcibly();
                  forget(session, address);
                }
              });
    }

    private void forget(Session session, InetAddress address) {
      sessions.remove(session);
      limits.leave(address);
    }

    private void configure(SocketChannel channel, ConnectionLoop loop) {
      channel
          .config()
          .setTcpNoDelay(true)
          .setKeepAlive(true)
          .setAllowHalfClosure(true)
          .setAllocator(UnpooledByteBufAllocator.DEFAULT)
          .setRecvByteBufAllocator(loop.inboundBuffer())
          .setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
    }

    /**
     * Pauses accepting: after running out of file descriptors, for example, it would fail again at
     * once.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOGGER.warn(
          "Failed to accept a connection; accepting again in {} ms",
          ACCEPT_PAUSE_MILLIS,
          loops.getFirst().fatal().contain(cause));
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
