package io.helenus.storage.row;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The encoding of keys, whose unsigned byte order is the order of the data:
 *
 * <pre>
 * token (8 bytes, sign bit flipped)
 * partition key, escaped: 00 becomes 00 FF; terminated by 00 00
 * section: 0 partition deletion | 1 static row | 2 rows
 * in section 2: clustering components, each a tag and its value's bytes, then a closing tag
 * </pre>
 *
 * <p>Tags are never inverted; the bytes after a value tag are inverted if the column is DESC. These
 * bytes are self-delimiting (fixed length, length-prefixed, or escaped like the partition key), so
 * no component is a prefix of another, and inverting them reverses the order exactly. The closing
 * tag of a bound before its rows is smaller than every other tag, and that of a bound after them is
 * greater, so bounds sort around all rows with their prefix, regardless of the directions of the
 * columns. An empty value sorts before all others in an ascending column and after them in a DESC
 * column, as in Cassandra, so it has two tags.
 *
 * <p>The key of an element of a multi-cell column continues the key of its row: {@link
 * ElementView}.
 *
 * <p>Stateless; any thread.
 */
public final class KeyFormat {
  /** The length of the token at the start of a key. */
  public static final int TOKEN_BYTES = 8;

  /** Section of the partition deletion. */
  public static final int SECTION_PARTITION_DELETION = 0;

  /** Section of the static row. */
  public static final int SECTION_STATIC = 1;

  /** Section of the rows. */
  public static final int SECTION_ROWS = 2;

  /** Closing tag: an element of a row. */
  public static final int TAG_ELEMENT = 0x00;

  /** Closing tag: a bound before all rows with this prefix. */
  public static final int TAG_BOUND_BEFORE = 0x20;

  /** Closing tag: the row itself. */
  public static final int TAG_END = 0x38;

  /** Component tag: null; sorts first in both directions. */
  public static final int TAG_NULL = 0x3E;

  /** Component tag: the empty value in an ascending column. */
  public static final int TAG_EMPTY = 0x3F;

  /** Component tag: the bytes of a value follow. */
  public static final int TAG_VALUE = 0x40;

  /** Component tag: the empty value in a descending column. */
  public static final int TAG_EMPTY_DESCENDING = 0x41;

  /** Closing tag: a bound after all rows with this prefix. */
  public static final int TAG_BOUND_AFTER = 0x60;

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private KeyFormat() {}

  /** Appends a token so that the unsigned order of the bytes is the signed order of tokens. */
  public static void putToken(long token, ByteWriter out) {
    out.putLong(token ^ Long.MIN_VALUE);
  }

  /** The token at the start of a key. */
  public static long token(MemorySegment key, long offset) {
    return Bytes.getLong(key, offset) ^ Long.MIN_VALUE;
  }

  /** Appends token and escaped partition key: the prefix that all keys of a partition share. */
  public static void putPartition(
      long token, MemorySegment source, long offset, long length, ByteWriter out) {
    putToken(token, out);
    putEscaped(source, offset, length, false, out);
  }

  /** The offset of a key's section byte. */
  public static long sectionOffset(MemorySegment key, long offset) {
    return skipEscaped(key, offset + TOKEN_BYTES, false);
  }

  /** Appends the unescaped partition key of a key; returns the offset of the section byte. */
  public static long readPartitionKey(MemorySegment key, long offset, ByteWriter out) {
    return readEscaped(key, offset + TOKEN_BYTES, false, out);
  }

  /** Appends a slice, escaped and terminated, optionally with all bytes inverted. */
  public static void putEscaped(
      MemorySegment source, long offset, long length, boolean inverted, ByteWriter out) {
    long mask = inverted ? -1L : 0L;
    long end = offset + length;
    long position = offset;
    while (position < end) {
      if (position + 8 <= end) {
        long word = Bytes.getLong(source, position);
        if (!hasZeroByte(word)) {
          out.putLong(word ^ mask);
          position += 8;
          continue;
        }
      }
      int value = Bytes.getByte(source, position++);
      out.putByte(value ^ (int) mask);
      if (value == 0) {
        out.putByte(0xFF ^ (int) mask);
      }
    }
    out.putShort((int) mask);
  }

  /**
   * Appends the slice that {@link #putEscaped} encoded; returns the offset after its terminator.
   */
  public static long readEscaped(MemorySegment key, long offset, boolean inverted, ByteWriter out) {
    long mask = inverted ? -1L : 0L;
    long limit = key.byteSize();
    long position = offset;
    while (true) {
      if (position + 8 <= limit) {
        long word = Bytes.getLong(key, position) ^ mask;
        if (!hasZeroByte(word)) {
          out.putLong(word);
          position += 8;
          continue;
        }
      }
      int value = (Bytes.getByte(key, position++) ^ (int) mask) & 0xFF;
      if (value == 0 && ((Bytes.getByte(key, position++) ^ (int) mask) & 0xFF) == 0) {
        return position;
      }
      out.putByte(value);
    }
  }

  /** The offset after the terminator of a slice that {@link #putEscaped} encoded. */
  public static long skipEscaped(MemorySegment key, long offset, boolean inverted) {
    long mask = inverted ? -1L : 0L;
    long limit = key.byteSize();
    long position = offset;
    while (true) {
      if (position + 8 <= limit && !hasZeroByte(Bytes.getLong(key, position) ^ mask)) {
        position += 8;
        continue;
      }
      int value = (Bytes.getByte(key, position++) ^ (int) mask) & 0xFF;
      if (value == 0 && ((Bytes.getByte(key, position++) ^ (int) mask) & 0xFF) == 0) {
        return position;
      }
    }
  }

  /** Whether the slice that {@link #putEscaped} encoded at an offset is empty. */
  public static boolean isEscapedEmpty(MemorySegment key, long offset, boolean inverted) {
    return Bytes.getShort(key, offset) == (short) (inverted ? -1 : 0);
  }

  private static boolean hasZeroByte(long word) {
    return ((word - ONES) & ~word & HIGH_BITS) != 0;
  }
}
