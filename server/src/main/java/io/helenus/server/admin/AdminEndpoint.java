package io.helenus.server.admin;

import io.helenus.server.transport.EventLoops;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Listens for administration requests. {@code POST /nodetool/COMMAND?option=value&arg=value} with
 * the header {@code Authorization: Bearer TOKEN} runs a command and returns its output as text;
 * {@code GET /health}, {@code GET /ready} and {@code GET /metrics} need no token. Methods may be
 * called from any thread.
 */
public final class AdminEndpoint implements Closeable {
  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_REQUEST_BYTES = 64 << 10;
  private static final int BACKLOG = 16;
  private static final long REQUEST_SECONDS = 10;

  private final EventLoopGroup loop;
  private final Executor workers;
  private final Executor scrapes;
  private final Map<String, Command> commands;
  private final Page metrics;
  private final Health health;
  private final byte[] token;
  private final List<Channel> listeners = new ArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * An endpoint that does not listen yet.
   *
   * @param loop serves its connections
   * @param workers run the commands, which may block
   * @param scrapes makes the page of metrics, one after the other
   * @param commands by name
   * @param metrics the page of metrics
   * @param token what requests for commands must present
   */
  public AdminEndpoint(
      EventLoopGroup loop,
      Executor workers,
      Executor scrapes,
      Map<String, Command> commands,
      Page metrics,
      Health health,
      String token) {
    this.loop = loop;
    this.workers = workers;
    this.scrapes = scrapes;
    this.metrics = metrics;
    this.commands = Map.copyOf(commands);
    this.health = health;
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Listens on an address; returns it with the actual port if 0 was given.
   *
   * @param forCommands false to answer only requests for the health of the node and its metrics
   * @throws IOException if the address cannot be bound
   */
  public synchronized InetSocketAddress listen(InetSocketAddress address, boolean forCommands)
      throws IOException {
    Channel listener = EventLoops.listen(loop, new Acceptor(forCommands), BACKLOG, address);
    listeners.add(listener);
    return (InetSocketAddress) listener.localAddress();
  }

  /** Stops listening. Requests in progress are still answered. */
  @Override
  public synchronized void close() {
    listeners.forEach(listener -> listener.close().syncUninterruptibly());
    listeners.clear();
  }

  Executor workers() {
    return workers;
  }

  Executor scrapes() {
    return scrapes;
  }

  Page metrics() {
    return metrics;
  }

  @Nullable Command command(String name) {
    return commands.get(name);
  }

  Health health() {
    return health;
  }

  /** Compares in constant time. */
  boolean isToken(String presented) {
    return MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8));
  }

  private final class Acceptor extends ChannelInboundHandlerAdapter {
    private final boolean forCommands;

    Acceptor(boolean forCommands) {
      this.forCommands = forCommands;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Channel channel = (Channel) message;
      if (connections.incrementAndGet() > MAX_CONNECTIONS) {
        connections.decrementAndGet();
        channel.unsafe().closeForcibly();
        return;
      }
      AdminConnection connection = new AdminConnection(AdminEndpoint.this, forCommands);
      channel
          .pipeline()
          .addLast(new HttpServerCodec())
          .addLast(new HttpObjectAggregator(MAX_REQUEST_BYTES))
          .addLast(connection);
      channel.closeFuture().addListener(closed -> connections.decrementAndGet());
      loop.register(channel)
          .addListener(
              registered -> {
                if (registered.isSuccess()) {
                  channel
                      .eventLoop()
                      .schedule(
                          () -> connection.closeUnlessBusy(channel),
                          REQUEST_SECONDS,
                          TimeUnit.SECONDS);
                } else {
                  channel.unsafe().closeForcibly();
                }
              });
    }
  }
}
