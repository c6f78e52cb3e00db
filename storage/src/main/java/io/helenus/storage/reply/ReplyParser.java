package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the bytes of a data reply. Malformed ones raise IllegalArgumentException or
 * IndexOutOfBoundsException. One thread at a time; reusable.
 */
final class ReplyParser {
  private final ByteWriter end = new ByteWriter(64);
  private MemorySegment segment = MemorySegment.NULL;
  private int at;
  private boolean inPartition;
  private boolean deleted;
  private int prefixOffset;
  private int prefixLength;
  private int kind;
  private int suffixOffset;
  private int suffixLength;
  private int tailOffset;
  private int tailLength;
  private int valueOffset;
  private @Nullable Stop position;

  /** Forgets the reply. */
  void clear() {
    segment = MemorySegment.NULL;
    position = null;
  }

  void begin(MemorySegment reply) {
    segment = reply;
    at = 0;
    inPartition = false;
    deleted = false;
    position = null;
    suffixLength = 0;
    check(reply.byteSize() < Integer.MAX_VALUE && nextByte() == ReplyFormat.VERSION);
  }

  /** Moves to the next entry; false at the end of the reply. */
  boolean nextEntry() {
    while (true) {
      if (deleted) {
        deleted = false;
        kind = 0;
        valueOffset = skip(RowFormat.DELETION_BYTES);
        return true;
      }
      if (!inPartition) {
        if (!nextPartition()) {
          return false;
        }
        continue;
      }
      kind = nextByte();
      if (kind == ReplyFormat.END) {
        inPartition = false;
      } else if (isEntry()) {
        return true;
      }
    }
  }

  private boolean nextPartition() {
    int length = length();
    if (length == 0) {
      end();
      return false;
    }
    prefixLength = length;
    prefixOffset = skip(length);
    suffixLength = 0;
    deleted = (nextByte() & ReplyFormat.PARTITION_DELETED) != 0;
    inPartition = true;
    return true;
  }

  /** Reads an entry; false if it is only the key of a row. */
  private boolean isEntry() {
    check(kind <= ReplyFormat.GAP);
    if (kind == ReplyFormat.ELEMENT) {
      check(suffixLength > 0);
      tailLength = length();
      tailOffset = skip(tailLength);
    } else {
      suffixLength = length();
      check(suffixLength > 0);
      suffixOffset = skip(suffixLength);
    }
    valueOffset = at;
    if (kind == ReplyFormat.GAP) {
      return true;
    }
    int length = length();
    skip(length);
    return length > 0;
  }

  private void end() {
    if (nextByte() == ReplyFormat.POSITION) {
      int prefix = length();
      int prefixAt = skip(prefix);
      int suffix = length();
      int suffixAt = skip(suffix);
      end.clear().putBytes(segment, prefixAt, prefix).putBytes(segment, suffixAt, suffix);
      position = Stop.last(end, 0, prefix);
    }
    check(at == segment.byteSize());
  }

  private int nextByte() {
    return Bytes.getUnsignedByte(segment, skip(1));
  }

  private int length() {
    check(at < segment.byteSize());
    long length = Bytes.getVarint(segment, at);
    at = (int) Bytes.varintEnd(segment, at);
    check(length >= 0 && length <= segment.byteSize() - at);
    return (int) length;
  }

  private int skip(int length) {
    check(length <= segment.byteSize() - at);
    at += length;
    return at - length;
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("malformed data reply");
    }
  }

  /** The tag of the entry; 0 for a partition deletion. */
  int kind() {
    return kind;
  }

  int prefixOffset() {
    return prefixOffset;
  }

  int prefixLength() {
    return prefixLength;
  }

  int suffixOffset() {
    return suffixOffset;
  }

  int suffixLength() {
    return suffixLength;
  }

  int tailOffset() {
    return tailOffset;
  }

  int tailLength() {
    return tailLength;
  }

  /** Where the value starts, or the varint of its length before it unless it is a deletion. */
  int valueOffset() {
    return valueOffset;
  }

  /** Where the reply ends; null if it is complete. */
  @Nullable Stop position() {
    return position;
  }
}
