package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * The rows of a data reply of one partition, in the order in which they were sent and where they
 * are in it: nothing else is in a reply that others agree with, since a replica sends nothing that
 * its deletions cover. Elements are left out. One thread at a time; reusable.
 */
public final class ReplyRows {
  private final ReplyParser parser = new ReplyParser();
  private MemorySegment segment = MemorySegment.NULL;
  private long valueOffset;
  private int valueLength;

  /**
   * Begins with a reply, which must stay valid until {@link #end}.
   *
   * @throws IllegalArgumentException if it is malformed, as do the other methods
   */
  public void begin(MemorySegment reply) {
    segment = reply;
    parser.begin(reply);
  }

  /** Forgets the reply. */
  public void end() {
    segment = MemorySegment.NULL;
    parser.clear();
  }

  /** Moves to the next row that has an entry; false at the end of the reply. */
  public boolean next() {
    while (parser.nextEntry()) {
      if (parser.kind() == ReplyFormat.ROW) {
        int at = parser.valueOffset();
        valueLength = (int) Bytes.getVarint(segment, at);
        valueOffset = Bytes.varintEnd(segment, at);
        return true;
      }
    }
    return false;
  }

  /** The bytes of the reply. */
  public MemorySegment segment() {
    return segment;
  }

  /** Whether the row is the static one of the partition. */
  public boolean isStatic() {
    return Bytes.getByte(segment, parser.suffixOffset()) == KeyFormat.SECTION_STATIC;
  }

  /** Where the clustering part of the row's key is. */
  public long clusteringOffset() {
    return parser.suffixOffset() + 1L;
  }

  /** The length of the clustering part of the row's key, with its closing tag. */
  public int clusteringLength() {
    return parser.suffixLength() - 1;
  }

  /** Where the row's entry is. */
  public long valueOffset() {
    return valueOffset;
  }

  /** The length of the row's entry. */
  public int valueLength() {
    return valueLength;
  }

  /**
   * After the last row: replaces the contents of a writer with the position up to which the reply
   * is complete, and returns the length of its prefix; 0 if the reply is complete to the end of the
   * request.
   */
  public int putPosition(ByteWriter key) {
    Stop position = parser.position();
    if (position == null) {
      return 0;
    }
    key.clear().putBytes(position.segment(), position.offset(), position.length());
    return position.prefixLength();
  }
}
