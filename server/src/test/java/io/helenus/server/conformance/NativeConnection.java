package io.helenus.server.conformance;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A blocking connection with one request in flight, protocol 3, 4 or 5, without compression.
 *
 * <p>Version 5 wraps frames into segments after READY: a 3-byte little-endian header (17 bits of
 * payload length, one bit "holds whole frames"), its CRC24, the payload, its CRC32. Not for several
 * threads.
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
  private static final int LARGEST_SEGMENT_BYTES = (1 << 17) - 1;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final DataInputStream input;
  private final OutputStream output;
  private final int version;
  private boolean segmented;
  private byte[] unread = new byte[0];

  /** The keyspace in use on this connection, if any. */
  @Nullable String keyspace;

  /** A response: opcode, flags and body. */
  record Response(int opcode, int flags, byte[] body) {}

  NativeConnection(String host, int port, int version) throws IOException {
    this.version = version;
    socket = new Socket();
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    input = new DataInputStream(socket.getInputStream());
    output = socket.getOutputStream();
    Outgoing startup = new Outgoing().writeShort(1).writeString("CQL_VERSION").writeString("3.0.0");
    Response response = request(STARTUP, startup.toByteArray());
    if (response.opcode() != READY) {
      throw new IOException("STARTUP was answered with opcode " + response.opcode());
    }
    segmented = version >= 5;
  }

  int version() {
    return version;
  }

  /** Sends one request and waits for its response. */
  Response request(int opcode, byte[] body) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + body.length);
    frame.put((byte) version).put((byte) 0).putShort((short) 1).put((byte) opcode);
    frame.putInt(body.length).put(body);
    if (segmented) {
      writeSegments(frame.array());
    } else {
      output.write(frame.array());
    }
    output.flush();
    return readResponse();
  }

  private Response readResponse() throws IOException {
    ByteBuffer header = ByteBuffer.wrap(readPlain(9));
    header.position(1);
    int flags = header.get() & 0xFF;
    int stream = header.getShort();
    int opcode = header.get() & 0xFF;
    byte[] body = readPlain(header.getInt());
    if (stream != 1) {
      throw new IOException("a response came on stream " + stream + " instead of 1");
    }
    return new Response(opcode, flags, body);
  }

  private byte[] readPlain(int length) throws IOException {
    if (!segmented) {
      byte[] bytes = new byte[length];
      input.readFully(bytes);
      return bytes;
    }
    if (unread.length < length) {
      ByteArrayOutputStream gathered = new ByteArrayOutputStream();
      gathered.writeBytes(unread);
      while (gathered.size() < length) {
        gathered.writeBytes(readSegment());
      }
      unread = gathered.toByteArray();
    }
    byte[] bytes = Arrays.copyOf(unread, length);
    unread = Arrays.copyOfRange(unread, length, unread.length);
    return bytes;
  }

  private byte[] readSegment() throws IOException {
    byte[] header = new byte[6];
    input.readFully(header);
    int fields = (header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16;
    int checksum = (header[3] & 0xFF) | (header[4] & 0xFF) << 8 | (header[5] & 0xFF) << 16;
    if (checksum != crc24(fields)) {
      throw new IOException("the checksum of a segment header does not match");
    }
    byte[] payload = new byte[fields & LARGEST_SEGMENT_BYTES];
    input.readFully(payload);
    int payloadChecksum = Integer.reverseBytes(input.readInt());
    if (payloadChecksum != crc32(payload)) {
      throw new IOException("the checksum of a segment payload does not match");
    }
    return payload;
  }

  private void writeSegments(byte[] frame) throws IOException {
    boolean selfContained = frame.length <= LARGEST_SEGMENT_BYTES;
    for (int from = 0; from < frame.length; from += LARGEST_SEGMENT_BYTES) {
      int to = Math.min(frame.length, from + LARGEST_SEGMENT_BYTES);
      byte[] payload = Arrays.copyOfRange(frame, from, to);
      int fields = payload.length | (selfContained ? 1 << 17 : 0);
      Outgoing segment = new Outgoing();
      writeThreeLittleEndian(segment, fields);
      writeThreeLittleEndian(segment, crc24(fields));
      segment.writeRaw(payload).writeInt(Integer.reverseBytes(crc32(payload)));
      output.write(segment.toByteArray());
    }
  }

  private static void writeThreeLittleEndian(Outgoing segment, int value) {
    segment.writeByte(value).writeByte(value >>> 8).writeByte(value >>> 16);
  }

  private static int crc24(int threeBytes) {
    int crc = 0x875060;
    int rest = threeBytes;
    for (int i = 0; i < 3; i++) {
      crc ^= (rest & 0xFF) << 16;
      rest >>>= 8;
      for (int bit = 0; bit < 8; bit++) {
        crc <<= 1;
        if ((crc & 0x1000000) != 0) {
          crc ^= 0x1974F0B;
        }
      }
    }
    return crc & 0xFFFFFF;
  }

  private static int crc32(byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(new byte[] {(byte) 0xFA, 0x2D, 0x55, (byte) 0xCA});
    crc.update(payload);
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
