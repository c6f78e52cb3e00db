package io.helenus.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection of the load generator: native protocol 4 over a plain socket, one stream id per
 * request in flight. Blocking until {@link #share}, then non-blocking. Single-threaded.
 */
final class LoadConnection {
  /** Called for each response. */
  interface Answers {
    /** A response has arrived, possibly an error, to the request with this time stamp. */
    void answered(long stampNanos, boolean error);
  }

  private static final int HEADER_BYTES = 9;
  private static final int LENGTH_OFFSET = 5;
  private static final byte VERSION = 4;
  private static final byte ERROR = 0;
  private static final byte STARTUP = 1;
  private static final byte QUERY = 7;
  private static final byte PREPARE = 9;
  private static final byte EXECUTE = 10;
  private static final short CONSISTENCY_ONE = 1;
  private static final byte WITH_VALUES = 1;
  private static final byte WITH_PAGE_SIZE = 4;

  /** The maximum size of a request. */
  private static final int REQUEST_BYTES = 4096;

  private final SocketChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 20);
  private final ByteBuffer in = ByteBuffer.allocateDirect(8 << 20);
  private final long[] stampsNanos;
  private final int[] freeStreams;
  private int freeCount;

  LoadConnection(InetSocketAddress server, int depth) throws IOException {
    channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    stampsNanos = new long[depth];
    freeStreams = new int[depth];
    for (int stream = 0; stream < depth; stream++) {
      freeStreams[freeCount++] = stream;
    }
  }

  /** STARTUP. */
  void start() throws IOException {
    begin(STARTUP, 0);
    out.putShort((short) 1);
    putString("CQL_VERSION");
    putString("3.0.0");
    exchange();
  }

  /** Runs a statement. */
  void query(String statement) throws IOException {
    begin(QUERY, 0);
    putLongString(statement);
    out.putShort(CONSISTENCY_ONE).put((byte) 0);
    exchange();
  }

  /** Prepares a statement; returns its id. */
  byte[] prepare(String statement) throws IOException {
    begin(PREPARE, 0);
    putLongString(statement);
    ByteBuffer result = exchange().position(Integer.BYTES);
    byte[] id = new byte[result.getShort()];
    result.get(id);
    return id;
  }

  /** Makes the socket non-blocking. */
  SocketChannel share() throws IOException {
    channel.configureBlocking(false);
    out.clear();
    in.clear();
    return channel;
  }

  /** Whether another request may be started. */
  boolean hasRoom() {
    return freeCount > 0 && out.remaining() > REQUEST_BYTES;
  }

  /**
   * Starts an EXECUTE; the caller writes the values to the returned buffer, then calls {@link
   * #end}.
   */
  ByteBuffer execute(byte[] preparedId, int valueCount, long stampNanos) {
    return execute(preparedId, WITH_VALUES, valueCount, stampNanos);
  }

  /** As {@link #execute}; the caller writes the values followed by the page size as an int. */
  ByteBuffer executePaged(byte[] preparedId, int valueCount, long stampNanos) {
    return execute(preparedId, (byte) (WITH_VALUES | WITH_PAGE_SIZE), valueCount, stampNanos);
  }

  private ByteBuffer execute(byte[] preparedId, byte flags, int valueCount, long stampNanos) {
    begin(EXECUTE, takeStream(stampNanos));
    out.putShort((short) preparedId.length).put(preparedId);
    out.putShort(CONSISTENCY_ONE).put(flags).putShort((short) valueCount);
    return out;
  }

  /** Sends a statement as text, in ASCII. */
  void send(String statement, long stampNanos) {
    begin(QUERY, takeStream(stampNanos));
    putLongString(statement);
    out.putShort(CONSISTENCY_ONE).put((byte) 0);
    end();
  }

  private int takeStream(long stampNanos) {
    int stream = freeStreams[--freeCount];
    stampsNanos[stream] = stampNanos;
    return stream;
  }

  private int frameStart;

  private void begin(byte opcode, int stream) {
    frameStart = out.position();
    out.put(VERSION).put((byte) 0).putShort((short) stream).put(opcode).putInt(0);
  }

  /** Ends the current request. */
  void end() {
    out.putInt(frameStart + LENGTH_OFFSET, out.position() - frameStart - HEADER_BYTES);
  }

  /** Sends pending bytes, as far as the socket accepts them. */
  void flush() throws IOException {
    if (out.position() > 0) {
      out.flip();
      channel.write(out);
      out.compact();
    }
  }

  /** Reads available input; returns the number of responses. */
  int receive(Answers answers) throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("the server closed a connection");
    }
    in.flip();
    int count = 0;
    while (in.remaining() >= HEADER_BYTES) {
      int at = in.position();
      int end = at + HEADER_BYTES + in.getInt(at + LENGTH_OFFSET);
      if (end > in.limit()) {
        break;
      }
      int stream = in.getShort(at + 2);
      in.position(end);
      freeStreams[freeCount++] = stream;
      answers.answered(stampsNanos[stream], in.get(at + 4) == ERROR);
      count++;
    }
    in.compact();
    return count;
  }

  private ByteBuffer exchange() throws IOException {
    end();
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    out.clear();
    in.clear();
    while (in.position() < HEADER_BYTES
        || in.position() < HEADER_BYTES + in.getInt(LENGTH_OFFSET)) {
      if (channel.read(in) < 0) {
        throw new EOFException("the server closed a connection");
      }
    }
    in.flip();
    byte opcode = in.get(4);
    ByteBuffer body = in.position(HEADER_BYTES).slice();
    if (opcode == ERROR) {
      byte[] text = new byte[body.getShort(Integer.BYTES)];
      body.get(Integer.BYTES + Short.BYTES, text);
      throw new IOException(new String(text, StandardCharsets.UTF_8));
    }
    return body;
  }

  private void putString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  private void putLongString(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes);
  }
}
