package io.helenus.bench;

import io.helenus.server.transport.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * A Netty server that echoes its input: its latency is the lower bound of what the load generator
 * can measure. The response to a request is a frame with the same stream id, which is all that the
 * load generator checks.
 */
public final class EchoServer {
  private EchoServer() {}

  /** Listens on 127.0.0.1 at the given port until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    MultiThreadIoEventLoopGroup loops = EventLoops.create(2, Thread::new);
    new ServerBootstrap()
        .group(loops)
        .channel(
            Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new Echo());
              }
            })
        .bind("127.0.0.1", Integer.parseInt(arguments[0]))
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.write(message, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}
