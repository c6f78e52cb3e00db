package io.helenus.server.internode;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The network between nodes, as ordered streams of bytes. A part of the environment: the process
 * has sockets, a simulation streams that it delays, breaks and loses. Any thread; everything that
 * happens to a stream is reported on the event loop that it belongs to.
 */
public interface Network {
  /** Of a node that has no others: nobody is reached, and nothing is taken. */
  Network NONE =
      new Network() {
        @Override
        public void connect(int loop, InetSocketAddress address, StreamHandler handler) {
          throw new IllegalStateException("this node has no network");
        }

        @Override
        public Closeable listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
          throw new IOException("this node has no network");
        }

        @Override
        public InetAddress resolve(String host) throws UnknownHostException {
          throw new UnknownHostException("this node has no network");
        }
      };

  /** Takes the streams that others open. */
  interface Acceptor {
    /**
     * A stream was opened to this node, and will belong to this event loop. On any thread.
     *
     * @return receives everything that happens to the stream, beginning with {@link
     *     StreamHandler#connected}
     */
    StreamHandler accepted(int loop);
  }

  /**
   * Opens a stream; the outcome is {@link StreamHandler#connected} or {@link StreamHandler#closed}.
   *
   * @param loop the index of the event loop that it will belong to
   */
  void connect(int loop, InetSocketAddress address, StreamHandler handler);

  /**
   * Takes streams on an address from now on, and gives them to the event loops in turn. Closing it
   * takes no further ones.
   *
   * @throws IOException if the address cannot be used; the message says why
   */
  Closeable listen(InetSocketAddress address, Acceptor acceptor) throws IOException;

  /**
   * Looks up the present address of a host name. Blocks.
   *
   * @throws UnknownHostException if none is known
   */
  InetAddress resolve(String host) throws UnknownHostException;
}
