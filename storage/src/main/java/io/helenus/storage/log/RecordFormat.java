package io.helenus.storage.log;

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

  private RecordFormat() {}

  /** The total length of a record, with header and padding, from the length of its payload. */
  static int recordBytes(int payloadBytes) {
    return (HEADER_BYTES + payloadBytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }
}
