package io.helenus.server.clients;

import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The server that the clients of one test class talk to: one started for it on a folder of its own,
 * or the one that {@code -Dclients.address=HOST:PORT} names.
 */
final class ServerAddress implements AutoCloseable {
  private final String host;
  private final int port;
  private final List<ServerProcess> started;

  private ServerAddress(String host, int port, List<ServerProcess> started) {
    this.host = host;
    this.port = port;
    this.started = started;
  }

  /** Finds or starts the server. */
  static ServerAddress open(Path data) throws IOException {
    String address = System.getProperty("clients.address");
    if (address != null) {
      int colon = address.lastIndexOf(':');
      return new ServerAddress(
          address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), List.of());
    }
    ServerProcess process = ServerProcess.start(data, ServerProcess.freePort(), List.of());
    return new ServerAddress("127.0.0.1", process.port(), List.of(process));
  }

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  /** Whether it is ours, and not one that somebody else named. */
  boolean isHelenus() {
    return !started.isEmpty();
  }

  @Override
  public void close() {
    started.forEach(ServerProcess::close);
  }
}
