package io.helenus.server.internode;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;

/**
 * Cuts what arrives on a stream into the bodies of envelopes, and checks their checksums. Only an
 * envelope that has arrived in part is copied. One thread.
 */
final class EnvelopeReader {
  /** Receives the bodies of envelopes. */
  @FunctionalInterface
  interface Sink {
    /** A body, valid during the call only; false if no more are wanted. */
    boolean body(MemorySegment bytes, long offset, int length) throws MalformedBytesException;
  }

  private static final int HEADER_BYTES = FrameWriter.ENVELOPE_BYTES;
  private static final int KEPT_BYTES = 64 << 10;

  /** The first byte of a stream with TLS. */
  private static final int TLS = 0x16;

  private final Crc32c crc = new Crc32c();
  private final ByteWriter partial;
  private int magicRead;
  private int limit;

  EnvelopeReader(SegmentSource memory, int limit) {
    partial = ByteWriter.recycling(memory, 0);
    this.limit = limit;
  }

  /** Changes the greatest length of a body, from the next envelope on. */
  void limit(int newLimit) {
    limit = newLimit;
  }

  /**
   * Takes what has arrived.
   *
   * @throws MalformedBytesException if the stream cannot be read any further
   */
  void read(MemorySegment bytes, int length, Sink sink) throws MalformedBytesException {
    int at = readMagic(bytes, length);
    while (at < length) {
      if (partial.size() == 0) {
        int whole = wholeLength(bytes, at, length - at);
        if (whole <= length - at) {
          if (!deliver(bytes, at, whole, sink)) {
            return;
          }
          at += whole;
          continue;
        }
      }
      int taken = fill(bytes, at, length - at);
      at += taken;
      int whole = wholeLength(partial.segment(), 0, partial.size());
      if (partial.size() == whole) {
        if (!deliver(partial.segment(), 0, whole, sink)) {
          return;
        }
        partial.clear(KEPT_BYTES);
      }
    }
  }

  private int readMagic(MemorySegment bytes, int length) throws MalformedBytesException {
    int at = 0;
    while (magicRead < Integer.BYTES && at < length) {
      int each = Bytes.getUnsignedByte(bytes, at++);
      if (each != (Handshake.MAGIC >>> (24 - 8 * magicRead) & 0xFF)) {
        throw new MalformedBytesException(
            magicRead == 0 && each == TLS
                ? "the other side uses TLS, this one does not"
                : "the other side does not speak the protocol between nodes");
      }
      magicRead++;
    }
    return at;
  }

  /** Appends bytes up to the end of the header, or to the end of the body once that is known. */
  private int fill(MemorySegment bytes, int at, int available) throws MalformedBytesException {
    int whole = wholeLength(partial.segment(), 0, partial.size());
    int wanted = whole == Integer.MAX_VALUE ? HEADER_BYTES : whole;
    int taken = Math.min(available, wanted - partial.size());
    partial.putBytes(bytes, at, taken);
    return taken;
  }

  /** The length of an envelope of which some bytes are known; the greatest number if unknown. */
  private int wholeLength(MemorySegment bytes, int at, int known) throws MalformedBytesException {
    if (known < Integer.BYTES) {
      return Integer.MAX_VALUE;
    }
    int length = Bytes.getInt(bytes, at);
    if (length < 0 || length > limit) {
      throw new MalformedBytesException(
          "a length of " + Integer.toUnsignedString(length) + " bytes is above " + limit);
    }
    return known < HEADER_BYTES ? Integer.MAX_VALUE : HEADER_BYTES + length;
  }

  private boolean deliver(MemorySegment bytes, int at, int whole, Sink sink)
      throws MalformedBytesException {
    int length = whole - HEADER_BYTES;
    if (Bytes.getInt(bytes, at + (long) Integer.BYTES) != checksum(crc, bytes, at, length)) {
      throw new MalformedBytesException("a checksum does not match");
    }
    return sink.body(bytes, at + (long) HEADER_BYTES, length);
  }

  /** The checksum of an envelope at an offset. */
  static int checksum(Crc32c crc, MemorySegment bytes, int at, int length) {
    return crc.reset()
        .update(bytes, at, Integer.BYTES)
        .update(bytes, at + (long) HEADER_BYTES, length)
        .value();
  }

  /** Releases the memory; not used any more. */
  void release() {
    partial.release();
  }
}
