package io.helenus.server.conformance;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Frame;
import io.helenus.server.client.FrameSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A blocking connection with one request in flight, protocol 3, 4 or 5, without compression. Not
 * thread-safe.
 */
final class NativeConnection implements AutoCloseable {
  static final int QUERY = 0x07;
  static final int PREPARE = 0x09;
  static final int EXECUTE = 0x0A;
  static final int BATCH = 0x0D;
  static final int ERROR = 0x00;
  static final int RESULT = 0x08;
  private static final int STARTUP = 0x01;
  private static final int READY = 0x02;
  private static final int STREAM = 1;
  private static final int TIMEOUT_MILLIS = 300_000;

  private final FrameSocket socket;
  private final int version;

  /** The keyspace in use on this connection, if any. */
  @Nullable String keyspace;

  NativeConnection(String host, int port, int version) throws IOException {
    this.version = version;
    socket = new FrameSocket(InetAddress.getByName(host), port, TIMEOUT_MILLIS);
    Map<String, String> options = Map.of("CQL_VERSION", "3.0.0");
    Frame response = request(STARTUP, new BodyWriter().putStringMap(options).toArray());
    if (response.opcode() != READY) {
      throw new IOException("unexpected response to STARTUP: opcode " + response.opcode());
    }
    if (version >= 5) {
      socket.beginSegments();
    }
  }

  int version() {
    return version;
  }

  /** Sends one request and waits for its response. */
  Frame request(int opcode, byte[] body) throws IOException {
    socket.send(Frame.request(version, 0, STREAM, opcode, body));
    Frame response = socket.receive();
    if (response.stream() != STREAM) {
      throw new IOException("response on unexpected stream " + response.stream());
    }
    return response;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
