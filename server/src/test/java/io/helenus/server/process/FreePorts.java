package io.helenus.server.process;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports that nobody listens on, below those that the system gives to connections: one of these
 * could be taken on another loopback address before a server opens it. Any thread.
 */
final class FreePorts {
  private static final int FIRST = 10_000;
  private static final int COUNT = 20_000;

  /** Processes that run side by side begin at different ones. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 211 % COUNT));

  private FreePorts() {}

  /** A port that is free on all addresses. */
  static int next() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // somebody listens there
      }
    }
    throw new IllegalStateException("no port is free");
  }
}
