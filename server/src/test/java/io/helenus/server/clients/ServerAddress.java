package io.helenus.server.clients;

import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The server used by the clients of one test class: a new one on a temporary folder, or the one
 * given by {@code -Dclients.address=HOST:PORT}.
 */
public final class ServerAddress implements AutoCloseable {
  private final String host;
  private final int port;
  private final List<ServerProcess> started;

  private ServerAddress(String host, int port, List<ServerProcess> started) {
    this.host = host;
    this.port = port;
    this.started = started;
  }

  /** Finds or starts the server. */
  public static ServerAddress open(Path data) throws IOException {
    return open(data, List.of());
  }

  /** Finds the server or starts it with more options. */
  public static ServerAddress open(Path data, List<String> options) throws IOException {
    String address = System.getProperty("clients.address");
    if (address != null) {
      int colon = address.lastIndexOf(':');
      return new ServerAddress(
          address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), List.of());
    }
    ServerProcess process = ServerProcess.start(data, ServerProcess.freePort(), options);
    return new ServerAddress("127.0.0.1", process.port(), List.of(process));
  }

  /** The host to connect to. */
  public String host() {
    return host;
  }

  /** The port to connect to. */
  public int port() {
    return port;
  }

  /** Whether the server was started by this test. */
  boolean isHelenus() {
    return !started.isEmpty();
  }

  @Override
  public void close() {
    started.forEach(ServerProcess::close);
  }
}
