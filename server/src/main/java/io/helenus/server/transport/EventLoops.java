package io.helenus.server.transport;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.concurrent.ThreadFactory;

/** Creates event loops: epoll if available, otherwise NIO. */
public final class EventLoops {
  private EventLoops() {}

  /** Creates event loops, each with its own thread from the factory. */
  public static MultiThreadIoEventLoopGroup create(int count, ThreadFactory threads) {
    IoHandlerFactory factory =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(count, threads, factory);
  }

  static ServerChannel serverChannel() {
    return Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }
}
