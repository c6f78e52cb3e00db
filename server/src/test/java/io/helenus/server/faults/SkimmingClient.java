package io.helenus.server.faults;

import io.helenus.server.process.ServerProcess;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A client of protocol version 4 that reads responses without keeping their rows, so that a test
 * can receive more than its heap holds.
 */
final class SkimmingClient implements AutoCloseable {
  private static final int STARTUP = 1;
  private static final int QUERY = 7;
  private static final int ERROR = 0;
  private static final int ONE = 1;
  private static final int VALUES = 1;
  private static final int PAGE_SIZE = 4;
  private static final int PAGING_STATE = 8;
  private static final int HAS_MORE_PAGES = 2;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /** What a response was: an error, or a length and the state of the next page. */
  record Skimmed(int errorCode, String error, int bytes, byte @Nullable [] nextPage) {
    boolean isError() {
      return !error.isEmpty();
    }
  }

  SkimmingClient(ServerProcess server) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setTcpNoDelay(true);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream options = new DataOutputStream(body);
      options.writeShort(1);
      options.writeUTF("CQL_VERSION");
      options.writeUTF("3.0.0");
      send(STARTUP, body.toByteArray());
      skim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a statement with values; a page size of 0 asks for all rows at once. */
  Skimmed query(String cql, int pageSize, byte @Nullable [] page, byte[]... values) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream fields = new DataOutputStream(body);
      byte[] text = cql.getBytes(StandardCharsets.UTF_8);
      fields.writeInt(text.length);
      fields.write(text);
      fields.writeShort(ONE);
      fields.writeByte(
          (values.length > 0 ? VALUES : 0)
              | (pageSize > 0 ? PAGE_SIZE : 0)
              | (page == null ? 0 : PAGING_STATE));
      if (values.length > 0) {
        fields.writeShort(values.length);
        for (byte[] value : values) {
          fields.writeInt(value.length);
          fields.write(value);
        }
      }
      if (pageSize > 0) {
        fields.writeInt(pageSize);
      }
      if (page != null) {
        fields.writeInt(page.length);
        fields.write(page);
      }
      send(QUERY, body.toByteArray());
      return skim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send(int opcode, byte[] body) throws IOException {
    out.write(new byte[] {4, 0, 0, 0, (byte) opcode});
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }

  private Skimmed skim() throws IOException {
    in.skipNBytes(4);
    int opcode = in.readUnsignedByte();
    int length = in.readInt();
    byte[] start = in.readNBytes(Math.min(length, 2048));
    in.skipNBytes(length - start.length);
    DataInputStream fields = new DataInputStream(new java.io.ByteArrayInputStream(start));
    if (opcode == ERROR) {
      int code = fields.readInt();
      return new Skimmed(code, fields.readUTF(), length, null);
    }
    byte[] next = null;
    if (length > 12 && fields.readInt() == 2) {
      int flags = fields.readInt();
      fields.skipNBytes(4);
      next = (flags & HAS_MORE_PAGES) == 0 ? null : fields.readNBytes(fields.readInt());
    }
    return new Skimmed(0, "", length, next);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
