package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Splits incoming bytes into frames:
 *
 * <ol>
 *   <li>In v3 and v4, and in v5 up to STARTUP: a sequence of frames.
 *   <li>In v5 after STARTUP: segments. A self-contained segment holds complete frames. Each of the
 *       others contains a part of one large frame; self-contained segments may come between the
 *       parts.
 * </ol>
 *
 * A frame is passed on when it is complete. A frame that is too large, or whose header is invalid,
 * is rejected as soon as its header has arrived; its body is skipped, not stored. Not thread-safe.
 */
final class InboundFrames {
  /** Receives the frames. */
  interface Sink {
    /** A complete frame; its body is valid until this returns. */
    void frame(
        int version, int flags, int stream, int opcode, MemorySegment source, int at, int length);

    /** Whether there is room for another frame. */
    boolean hasRoom();

    /** Sends an error in response to a frame of this version. */
    void refuse(int version, int stream, CqlError error);

    /** Sends an error and closes the connection: no further frame can be read. */
    void fail(int version, int stream, CqlError error);

    /** The version of the connection; 0 until it is known. */
    int settledVersion();
  }

  /** The largest body that the protocol allows (v5, section 2.5). */
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

  /** From now on frames arrive in segments (v5). */
  void beginSegments(Segments newSegments) {
    segments = newSegments;
  }

  /** Reads as many frames as possible; returns the number of bytes consumed. */
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

  /** Whether part of a message has been consumed and the rest has not arrived. */
  boolean isWithinMessage() {
    return large != null || toSkip > 0 || largeToSkip > 0;
  }

  /** Releases the memory reserved for frames that will no longer arrive. */
  void close() {
    failed = true;
    releaseLarge();
    releaseReserved();
  }

  private void releaseLarge() {
    ByteWriter parts = large;
    if (parts != null) {
      large = null;
      parts.release();
    }
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
      addPart(payload, payloadAt, length);
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
        fail(
            0,
            0,
            new CqlError.ProtocolError("A self-contained segment ends in the middle of a message"));
      }
    }
  }

  /** Appends a part of a large frame. */
  private void addPart(MemorySegment payload, int offset, int length) {
    if (largeToSkip > 0) {
      largeToSkip -= length;
      if (largeToSkip < 0) {
        fail(0, 0, new CqlError.ProtocolError("A segment continues beyond the end of its message"));
      }
      return;
    }
    ByteWriter parts = large;
    if (parts == null) {
      parts = workspace.arriving(Math.max(HEADER_BYTES, length));
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
      fail(0, 0, new CqlError.ProtocolError("A segment continues beyond the end of its message"));
    } else if (parts.size() == largeTotal) {
      large = null;
      releaseReserved();
      try {
        if (readFrame(parts.segment(), 0, parts.size()) == 0) {
          throw new IllegalStateException("complete frame not read");
        }
      } finally {
        parts.release();
      }
    }
  }

  private void beginLarge(ByteWriter parts) {
    int used = readFrame(parts.segment(), 0, HEADER_BYTES);
    largeTotal = HEADER_BYTES + Bytes.getInt(parts.segment(), HEADER_BYTES - 4);
    if (used > 0) {
      largeToSkip = largeTotal - parts.size();
      toSkip = 0;
      releaseLarge();
      if (largeToSkip < 0 && !failed) {
        fail(0, 0, new CqlError.ProtocolError("A segment continues beyond the end of its message"));
      }
    } else {
      parts.makeRoom(Math.max(0, largeTotal - parts.size()));
    }
  }

  /**
   * Reads a frame. Returns the number of bytes consumed; 0 if more must arrive first. The body of a
   * rejected frame is skipped later.
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
      error =
          new CqlError.Overloaded("Too many bytes of large requests are in flight; retry later");
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

  /** Reserves memory for a large frame that is stored while it arrives; false if over the limit. */
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
