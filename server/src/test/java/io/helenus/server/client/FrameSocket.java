package io.helenus.server.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** A socket that sends and receives frames, within segments once enabled. Not thread-safe. */
public final class FrameSocket implements AutoCloseable {
  private static final int LARGEST_SEGMENT = (1 << 17) - 1;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;
  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private Compression compression = Compression.NONE;
  private boolean segmented;

  /** Connects; reads throw after the timeout. */
  public FrameSocket(InetAddress host, int port, int timeoutMillis) throws IOException {
    socket.connect(new InetSocketAddress(host, port), timeoutMillis);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(timeoutMillis);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    out = socket.getOutputStream();
  }

  /** Enables compression of bodies (v3, v4) or segments (v5). */
  public void compress(Compression newCompression) {
    compression = newCompression;
  }

  /** Enables segments (v5). */
  public void beginSegments() {
    segmented = true;
  }

  /** The underlying socket. */
  public Socket socket() {
    return socket;
  }

  /** Sends raw bytes. */
  public void sendRaw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends a frame. */
  public void send(Frame frame) throws IOException {
    if (segmented) {
      sendRaw(segments(frame.encode()));
      return;
    }
    Frame wire = frame;
    if (compression != Compression.NONE && frame.opcode() != 0x01 && frame.body().length > 0) {
      byte[] body = compression.compressBody(frame.body());
      wire =
          Frame.request(
              frame.version(), frame.flags() | 0x01, frame.stream(), frame.opcode(), body);
    }
    sendRaw(wire.encode());
  }

  private byte[] segments(byte[] frame) {
    BodyWriter bytes = new BodyWriter();
    boolean selfContained = frame.length <= LARGEST_SEGMENT;
    for (int at = 0; at < frame.length; at += LARGEST_SEGMENT) {
      byte[] part = Arrays.copyOfRange(frame, at, Math.min(frame.length, at + LARGEST_SEGMENT));
      bytes.putRaw(segment(part, selfContained, compression));
    }
    return bytes.toArray();
  }

  /** Encodes a v5 segment. */
  public static byte[] segment(byte[] plain, boolean selfContained, Compression compression) {
    byte[] payload = plain;
    long header = plain.length;
    int headerLength = 3;
    if (compression == Compression.NONE) {
      header |= selfContained ? 1L << 17 : 0;
    } else {
      byte[] smaller = Compression.lz4(plain);
      if (smaller.length < plain.length) {
        payload = smaller;
        header = smaller.length | (long) plain.length << 17;
      }
      header |= selfContained ? 1L << 34 : 0;
      headerLength = 5;
    }
    return new BodyWriter()
        .putRaw(little(header, headerLength))
        .putRaw(little(Checksums.crc24(header, headerLength), 3))
        .putRaw(payload)
        .putRaw(little(Checksums.crc32(payload), 4))
        .toArray();
  }

  /** Encodes a v5 segment with LZ4, whose header may contradict its payload. */
  public static byte[] compressedSegment(byte[] payload, int plainLength, boolean selfContained) {
    long header = payload.length & LARGEST_SEGMENT | (plainLength & (long) LARGEST_SEGMENT) << 17;
    header |= selfContained ? 1L << 34 : 0;
    return new BodyWriter()
        .putRaw(little(header, 5))
        .putRaw(little(Checksums.crc24(header, 5), 3))
        .putRaw(payload)
        .putRaw(little(Checksums.crc32(payload), 4))
        .toArray();
  }

  private static byte[] little(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> 8 * i);
    }
    return bytes;
  }

  /** The next frame; EOFException if the server has closed the connection. */
  public Frame receive() throws IOException {
    byte[] header = take(9);
    BodyReader reader = new BodyReader(header);
    int version = reader.getByte();
    int flags = reader.getByte();
    int stream = (short) reader.getShort();
    int opcode = reader.getByte();
    byte[] body = take(reader.getInt());
    if ((flags & 0x01) != 0 && !segmented) {
      body = compression.decompressBody(body);
    }
    return new Frame(version & 0x7F, (version & 0x80) != 0, flags, stream, opcode, body);
  }

  private byte[] take(int length) throws IOException {
    if (!segmented) {
      return readFully(length);
    }
    while (unread.size() < length) {
      unread.writeBytes(receiveSegment());
    }
    byte[] all = unread.toByteArray();
    unread.reset();
    unread.write(all, length, all.length - length);
    return Arrays.copyOf(all, length);
  }

  private byte[] receiveSegment() throws IOException {
    boolean compressed = compression != Compression.NONE;
    int headerLength = compressed ? 5 : 3;
    long header = readLittle(headerLength);
    expect(Checksums.crc24(header, headerLength), readLittle(3), "CRC24");
    byte[] payload = readFully((int) (header & LARGEST_SEGMENT));
    expect(Checksums.crc32(payload) & 0xFFFFFFFFL, readLittle(4), "CRC32");
    int plainLength = compressed ? (int) (header >>> 17 & LARGEST_SEGMENT) : 0;
    return plainLength == 0 ? payload : Compression.unLz4(payload, plainLength);
  }

  private static void expect(long computed, long received, String what) {
    if (computed != received) {
      throw new AssertionError("a segment with a wrong " + what);
    }
  }

  private long readLittle(int length) throws IOException {
    byte[] bytes = readFully(length);
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes[i] & 0xFFL) << 8 * i;
    }
    return value;
  }

  /** Whether unread input has arrived. */
  public boolean hasUnread() throws IOException {
    return unread.size() > 0 || in.available() > 0;
  }

  /** Reads this many raw bytes. */
  public byte[] readFully(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the server closed the connection");
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
