package io.helenus.server.transport;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;

/** Creates event loops and their sockets: epoll if available, otherwise NIO. */
public final class EventLoops {
  private EventLoops() {}

  /** Creates event loops, each with its own thread from the factory. */
  public static MultiThreadIoEventLoopGroup create(int count, ThreadFactory threads) {
    IoHandlerFactory factory =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(count, threads, factory);
  }

  /** A channel for a connection to another process; the caller registers it with a loop. */
  public static SocketChannel channel() {
    return Epoll.isAvailable() ? new EpollSocketChannel() : new NioSocketChannel();
  }

  /**
   * Listens on an address.
   *
   * @param acceptor receives the accepted channels, which it registers
   * @throws IOException if the address cannot be bound; the message says why
   */
  public static ServerChannel listen(
      EventLoopGroup loop, ChannelHandler acceptor, int backlog, InetSocketAddress address)
      throws IOException {
    ServerChannel channel =
        Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    channel.config().setOption(ChannelOption.SO_BACKLOG, backlog);
    channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
    channel.pipeline().addLast(acceptor);
    try {
      loop.register(channel).syncUninterruptibly();
      channel.bind(address).syncUninterruptibly();
    } catch (Exception e) {
      channel.close();
      throw new IOException("cannot listen on " + text(address) + ": " + reason(e), e);
    }
    return channel;
  }

  private static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    String host = ip == null ? address.getHostString() : ip.getHostAddress();
    return host + ":" + address.getPort();
  }

  private static String reason(Exception failure) {
    String text = String.valueOf(failure.getMessage());
    if (text.contains("in use")) {
      return "the port is in use by another process";
    }
    if (text.contains("assign requested address")) {
      return "no network interface of this machine has the address";
    }
    return text;
  }
}
