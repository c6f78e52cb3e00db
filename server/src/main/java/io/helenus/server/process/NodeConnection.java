package io.helenus.server.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a node of Helenus or Apache Cassandra for a few queries whose results are texts,
 * in version 4 of the native protocol. One thread, which waits.
 */
final class NodeConnection implements Closeable {
  private static final int PORT = 9042;
  private static final int CONNECT_MILLIS = 10_000;
  private static final int ANSWER_MILLIS = 60_000;
  private static final int MAX_ANSWER = 256 << 20;

  private static final int REQUEST = 0x04;
  private static final int STARTUP = 0x01;
  private static final int QUERY = 0x07;
  private static final int ERROR = 0x00;
  private static final int READY = 0x02;
  private static final int AUTHENTICATE = 0x03;
  private static final int RESULT = 0x08;

  private static final int WARNINGS = 0x08;
  private static final int CONSISTENCY_ONE = 1;
  private static final int ROWS = 2;
  private static final int HAS_GLOBAL_TABLE = 1;
  private static final int HAS_MORE_PAGES = 2;

  /** Types without parameters have lower numbers; 0 is one with a name. */
  private static final int FIRST_COMPOSED_TYPE = 0x20;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final DataOutputStream out;
  private int opcode;

  /**
   * Connects.
   *
   * @param address a host, with a port if it is not 9042
   * @throws IOException if that fails; the text says why
   */
  NodeConnection(String address) throws IOException {
    try {
      socket.connect(parse(address), CONNECT_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      out = new DataOutputStream(socket.getOutputStream());
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream data = new DataOutputStream(body);
      data.writeShort(1);
      data.writeUTF("CQL_VERSION");
      data.writeUTF("3.0.0");
      send(STARTUP, body);
      DataInputStream answer = receive();
      if (opcode == AUTHENTICATE) {
        throw new IOException("the node asks for a password, which advise cannot give");
      }
      expect(READY, answer);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static InetSocketAddress parse(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    boolean hasPort = colon > 0 && address.indexOf(':') == colon;
    try {
      InetSocketAddress parsed =
          hasPort
              ? new InetSocketAddress(
                  address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))
              : new InetSocketAddress(address, PORT);
      if (parsed.isUnresolved()) {
        throw new IOException("there is no such host");
      }
      return parsed;
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + address + "' is not a host, or a host and a port", e);
    }
  }

  /** Runs a query whose results have columns of simple types; each value is taken as a text. */
  List<List<String>> query(String text) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(body);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    data.writeInt(bytes.length);
    data.write(bytes);
    data.writeShort(CONSISTENCY_ONE);
    data.writeByte(0);
    send(QUERY, body);
    DataInputStream answer = receive();
    expect(RESULT, answer);
    return rows(answer);
  }

  private void send(int request, ByteArrayOutputStream body) throws IOException {
    out.writeByte(REQUEST);
    out.writeByte(0);
    out.writeShort(0);
    out.writeByte(request);
    out.writeInt(body.size());
    body.writeTo(out);
    out.flush();
  }

  private DataInputStream receive() throws IOException {
    in.readByte();
    int flags = in.readUnsignedByte();
    in.readShort();
    opcode = in.readUnsignedByte();
    int length = in.readInt();
    if (length < 0 || length > MAX_ANSWER) {
      throw new IOException("the answer of " + length + " bytes is not one of the native protocol");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    DataInputStream answer = new DataInputStream(new ByteArrayInputStream(body));
    if ((flags & WARNINGS) != 0) {
      int warnings = answer.readUnsignedShort();
      for (int i = 0; i < warnings; i++) {
        string(answer);
      }
    }
    return answer;
  }

  private void expect(int expected, DataInputStream answer) throws IOException {
    if (opcode == ERROR) {
      answer.readInt();
      throw new IOException(string(answer));
    }
    if (opcode != expected) {
      throw new IOException("the node answers " + opcode + " in place of " + expected);
    }
  }

  private static List<List<String>> rows(DataInputStream answer) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    if (answer.readInt() != ROWS) {
      return rows;
    }
    int flags = answer.readInt();
    int columns = answer.readInt();
    if ((flags & HAS_MORE_PAGES) != 0) {
      throw new IOException("the node answers in pages without being asked to");
    }
    boolean global = (flags & HAS_GLOBAL_TABLE) != 0;
    if (global) {
      string(answer);
      string(answer);
    }
    for (int i = 0; i < columns; i++) {
      if (!global) {
        string(answer);
        string(answer);
      }
      string(answer);
      int type = answer.readUnsignedShort();
      if (type == 0 || type >= FIRST_COMPOSED_TYPE) {
        throw new IOException("the node answers with a column of the type " + type);
      }
    }
    int count = answer.readInt();
    for (int i = 0; i < count; i++) {
      List<String> row = new ArrayList<>();
      for (int j = 0; j < columns; j++) {
        byte[] value = new byte[Math.max(0, answer.readInt())];
        answer.readFully(value);
        row.add(new String(value, StandardCharsets.UTF_8));
      }
      rows.add(row);
    }
    return rows;
  }

  private static String string(DataInputStream from) throws IOException {
    byte[] bytes = new byte[from.readUnsignedShort()];
    from.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
