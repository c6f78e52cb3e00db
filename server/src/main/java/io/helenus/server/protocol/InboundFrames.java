package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames, and in v5 segments, from the bytes that arrive. What it reads:
 *
 * <ol>
 *   <li>Before STARTUP, and in v3 and v4 always: frames, one behind the other.
 *   <li>In v5 after it: segments. A self-contained one holds whole frames. The others hold the
 *       parts of one large frame, which are gathered; self-contained ones may come in between.
 * </ol>
 *
 * A frame is handed on when all of it is there. One that is too large, or whose header is wrong, is
 * refused as soon as its header is there, and its body passed over without being kept. One thread.
 */
final class InboundFrames {
  /** Who takes the frames. */
  interface Sink {
    /** A whole frame; the body is good until this returns. */
    void frame(
        int version, int flags, int stream, int opcode, MemorySegment source, int at, int length);

    /** Whether the next frame may come. */
    boolean hasRoom();

    /** A frame that is answered with an error, by a header of the version that it came with. */
    void refuse(int version, int stream, CqlError error);

    /** Nothing more can be read from this connection: the error, then the end. */
    void fail(int version, int stream, CqlError error);

    /** The version of the connection; 0 while it is not settled. */
    int settledVersion();
  }

  /** The largest body that the protocol has (v5, section 2.5). */
  static final int LARGEST_BODY_BYTES = 256 << 20;

  private static final int HEADER_BYTES = 9;
  private static final int OLD_HEADER_BYTES = 8;
  private static final int SMALL_FRAME_BYTES = 64 << 10;
  private static final int UNKNOWN = -1;

  private final Sink sink;
  private final Workspace workspace;
  private final int limitBytes;
  private @Nullable Segments segments;
  private @Nullable ByteWriter large;
  private int largeTotal = UNKNOWN;
  private int largeToSkip;
  private int toSkip;
  private int reservedBytes;
  private boolean failed;

  InboundFrames(Sink sink, Workspace workspace, int limitBytes) {
    this.sink = sink;
    this.workspace = workspace;
    this.limitBytes = limitBytes;
  }

  /** From now on frames come in segments (v5). */
  void beginSegments(Segments newSegments) {
    segments = newSegments;
  }

  /** Reads what is there; returns how many bytes it is done with. */
  int read(MemorySegment source, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (at < end && !failed) {
      if (toSkip > 0) {
        int skipped = Math.min(toSkip, end - at);
        toSkip -= skipped;
        at += skipped;
        continue;
      }
      if (!sink.hasRoom()) {
        break;
      }
      int used =
          segments == null
              ? readFrame(source, at, end - at)
              : readSegment(segments, source, at, end - at);
      if (used == 0) {
        break;
      }
      at += used;
    }
    return failed ? length : at - offset;
  }

  /** Whether parts of a message that has begun were taken, and others are still to come. */
  boolean isWithinMessage() {
    return large != null || toSkip > 0 || largeToSkip > 0;
  }

  /** Gives back what large frames that will not arrive any more have reserved. */
  void close() {
    failed = true;
    large = null;
    releaseReserved();
  }

  private void fail(int version, int stream, CqlError error) {
    failed = true;
    sink.fail(version, stream, error);
  }

  private int readSegment(Segments reader, MemorySegment source, int at, int available) {
    if (available < reader.headerBytes()) {
      return 0;
    }
    if (!reader.readHeader(source, at)) {
      fail(
          0,
          0,
          mismatch(
              "header",
              reader.storedHeaderChecksum(source, at),
              reader.computedHeaderChecksum(source, at)));
      return available;
    }
    int used = reader.segmentBytes();
    if (available < used) {
      return 0;
    }
    int stored = reader.storedPayloadChecksum(source, at);
    int computed = reader.computedPayloadChecksum(source, at);
    if (stored != computed) {
      fail(0, 0, mismatch("body", stored, computed));
      return available;
    }
    MemorySegment payload = source;
    int payloadAt = at + reader.headerBytes();
    int length = reader.plainLength();
    if (reader.isCompressed()) {
      ByteWriter plain = workspace.decompressed();
      reader.decompress(source, at, plain);
      payload = plain.segment();
      payloadAt = 0;
    }
    if (reader.isSelfContained()) {
      readWholeFrames(payload, payloadAt, length);
    } else {
      gather(payload, payloadAt, length);
    }
    return used;
  }

  private static CqlError mismatch(String part, int stored, int computed) {
    return new CqlError.ProtocolError(
        "invalid, unrecoverable CRC mismatch detected in frame "
            + part
            + ". Read "
            + stored
            + ", Computed "
            + computed);
  }

  private void readWholeFrames(MemorySegment payload, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (at < end && !failed) {
      int used = readFrame(payload, at, end - at);
      at += used + toSkip;
      toSkip = 0;
      if ((used == 0 || at > end) && !failed) {
        fail(0, 0, new CqlError.ProtocolError("A self-contained segment ends within a message"));
      }
    }
  }

  /** Puts a part of a large frame to those that came before. */
  private void gather(MemorySegment payload, int offset, int length) {
    if (largeToSkip > 0) {
      largeToSkip -= length;
      if (largeToSkip < 0) {
        fail(0, 0, new CqlError.ProtocolError("A segment goes on behind the end of its message"));
      }
      return;
    }
    ByteWriter parts = large;
    if (parts == null) {
      parts = new ByteWriter(Math.max(HEADER_BYTES, length));
      large = parts;
      largeTotal = UNKNOWN;
    }
    parts.putBytes(payload, offset, length);
    if (largeTotal == UNKNOWN && parts.size() >= HEADER_BYTES) {
      beginLarge(parts);
    }
    if (large == null || largeTotal == UNKNOWN || failed) {
      return;
    }
    if (parts.size() > largeTotal) {
      fail(0, 0, new CqlError.ProtocolError("A segment goes on behind the end of its message"));
    } else if (parts.size() == largeTotal) {
      large = null;
      releaseReserved();
      if (readFrame(parts.segment(), 0, parts.size()) == 0) {
        throw new IllegalStateException("a whole frame was not read");
      }
    }
  }

  private void beginLarge(ByteWriter parts) {
    int used = readFrame(parts.segment(), 0, HEADER_BYTES);
    largeTotal = HEADER_BYTES + Bytes.getInt(parts.segment(), HEADER_BYTES - 4);
    if (used > 0) {
      largeToSkip = largeTotal - parts.size();
      toSkip = 0;
      large = null;
      if (largeToSkip < 0 && !failed) {
        fail(0, 0, new CqlError.ProtocolError("A segment goes on behind the end of its message"));
      }
    }
  }

  /**
   * Reads a frame. Returns how many bytes it is done with; 0 when more must arrive first. When the
   * frame is refused the body remains to be skipped.
   */
  private int readFrame(MemorySegment source, int at, int available) {
    int direction = Bytes.getUnsignedByte(source, at) & 0x80;
    int version = Bytes.getUnsignedByte(source, at) & 0x7F;
    int headerBytes = version <= 2 ? OLD_HEADER_BYTES : HEADER_BYTES;
    if (available < headerBytes) {
      return 0;
    }
    int flags = Bytes.getUnsignedByte(source, at + 1);
    int stream = version <= 2 ? Bytes.getByte(source, at + 2) : Bytes.getShort(source, at + 2);
    int opcode = Bytes.getUnsignedByte(source, at + headerBytes - 5);
    int length = Bytes.getInt(source, at + headerBytes - 4);
    CqlError error =
        Handshake.headerError(sink.settledVersion(), version, flags, direction, opcode);
    if (length < 0 || length > LARGEST_BODY_BYTES) {
      String text = "Invalid value for envelope header body length field: " + length;
      fail(version, stream, error != null ? error : new CqlError.ProtocolError(text));
      return available;
    }
    if (error == null && length > limitBytes) {
      error = tooLarge(headerBytes + length);
    }
    boolean complete = available >= headerBytes + length;
    if (error == null && !complete && !reserve(length)) {
      error = new CqlError.Overloaded("The requests in flight hold too many bytes");
    }
    if (error != null) {
      sink.refuse(version, stream, error);
      toSkip = length;
      return headerBytes;
    }
    if (!complete) {
      return 0;
    }
    if (segments == null) {
      releaseReserved();
    }
    sink.frame(version, flags, stream, opcode, source, at + headerBytes, length);
    return headerBytes + length;
  }

  private CqlError tooLarge(int bytes) {
    return new CqlError.Invalid(
        segments == null
            ? "Request is too big: length "
                + bytes
                + " exceeds maximum allowed length "
                + limitBytes
                + "."
            : "CQL Message of size "
                + (bytes - HEADER_BYTES)
                + " bytes exceeds allowed maximum of "
                + limitBytes
                + " bytes");
  }

  /** A frame that will be kept for long while its bytes arrive counts as one in flight. */
  private boolean reserve(int bytes) {
    if (reservedBytes > 0 || bytes <= SMALL_FRAME_BYTES) {
      return true;
    }
    if (!workspace.reserveArriving(bytes)) {
      return false;
    }
    reservedBytes = bytes;
    return true;
  }

  private void releaseReserved() {
    workspace.releaseArriving(reservedBytes);
    reservedBytes = 0;
  }
}
