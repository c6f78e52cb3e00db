package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import java.lang.foreign.MemorySegment;

/** The layout of a record: storage/docs/commitlog.md. Stateless. */
final class RecordFormat {
  static final int CHECKSUM_OFFSET = 0;
  static final int LENGTH_OFFSET = 4;
  static final int SEGMENT_ID_OFFSET = 8;
  static final int GENERATION_OFFSET = 12;
  static final int DURABLE_OFFSET = 16;
  static final int HEADER_BYTES = 24;
  static final int ALIGNMENT_BYTES = 8;

  /** In the length field: no payload; the log continues in the next segment. */
  static final int END_MARK = 0x80000000;

  /** In the length field: the payload is the position of the original, then its mutation. */
  static final int COPY = 0x40000000;

  private RecordFormat() {}

  /** The length of the payload from the length field; negative or too large if it is damaged. */
  static int payloadBytes(int field) {
    return field == END_MARK ? 0 : field & ~COPY;
  }

  /** Appends the header of a record, whose payload follows; {@link #end} completes it. */
  static void begin(ByteWriter out, int lengthField, SegmentHeader segment, long durable) {
    out.putInt(0).putInt(lengthField);
    out.putInt(segment.segmentId()).putInt(segment.generation()).putLong(durable);
  }

  /** Completes the record that starts at an offset: its checksum, and padding after it. */
  static void end(ByteWriter out, int at, Crc32c checksum) {
    int covered = out.size() - at - LENGTH_OFFSET;
    out.setInt(at, checksum.of(out.segment(), at + (long) LENGTH_OFFSET, covered));
    while ((out.size() - at) % ALIGNMENT_BYTES != 0) {
      out.putByte(0);
    }
  }

  /**
   * Passes a valid record with a mutation to a visitor; a copy has the position of its original.
   */
  static void visit(
      LogReplay.Visitor visitor,
      long logId,
      long position,
      MemorySegment segment,
      long at,
      int field) {
    long payload = at + HEADER_BYTES;
    int length = payloadBytes(field);
    if ((field & COPY) == 0) {
      visitor.record(logId, position, segment, payload, length);
    } else {
      visitor.record(
          logId,
          Bytes.getLong(segment, payload),
          segment,
          payload + Long.BYTES,
          length - Long.BYTES);
    }
  }

  /** The total length of a record, with header and padding, from the length of its payload. */
  static int recordBytes(int payloadBytes) {
    return (HEADER_BYTES + payloadBytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }
}
