package io.helenus.storage.memtable;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The records of a memtable in its slabs. Each record is one version of one entry:
 *
 * <pre>
 *  0 older version  reference i64, 0 for none
 *  8 sequence       i64
 * 16 key length     i32
 * 20 prefix length  i32
 * 24 value length   i32
 * 28 value capacity i32
 * 32 key, then value
 * </pre>
 */
final class Records {
  private static final int SEQUENCE = 8;
  private static final int KEY_LENGTH = 16;
  private static final int PREFIX_LENGTH = 20;
  private static final int VALUE_LENGTH = 24;
  private static final int VALUE_CAPACITY = 28;
  private static final int KEY = 32;

  private final Slabs slabs;

  Records(Slabs slabs) {
    this.slabs = slabs;
  }

  /** A new record with room for a value of {@code capacity} bytes. */
  long create(
      MemorySegment key,
      long keyOffset,
      int keyLength,
      int prefixLength,
      int capacity,
      long sequence,
      long older,
      MemorySegment value,
      long valueOffset,
      int valueLength) {
    long reference = slabs.allocate((long) KEY + keyLength + capacity);
    MemorySegment segment = slabs.segment(reference);
    long at = Slabs.offset(reference);
    Bytes.setLong(segment, at, older);
    Bytes.setLong(segment, at + SEQUENCE, sequence);
    Bytes.setInt(segment, at + KEY_LENGTH, keyLength);
    Bytes.setInt(segment, at + PREFIX_LENGTH, prefixLength);
    Bytes.setInt(segment, at + VALUE_LENGTH, valueLength);
    Bytes.setInt(segment, at + VALUE_CAPACITY, capacity);
    MemorySegment.copy(key, keyOffset, segment, at + KEY, keyLength);
    MemorySegment.copy(value, valueOffset, segment, at + KEY + keyLength, valueLength);
    return reference;
  }

  /** Replaces the value of a record that has room for the new one. */
  void overwrite(
      long reference, long sequence, MemorySegment value, long valueOffset, int valueLength) {
    MemorySegment segment = slabs.segment(reference);
    long at = Slabs.offset(reference);
    Bytes.setLong(segment, at + SEQUENCE, sequence);
    Bytes.setInt(segment, at + VALUE_LENGTH, valueLength);
    long valueAt = at + KEY + Bytes.getInt(segment, at + KEY_LENGTH);
    MemorySegment.copy(value, valueOffset, segment, valueAt, valueLength);
  }

  /** Unlinks older versions. */
  void cutOlder(long reference) {
    Bytes.setLong(slabs.segment(reference), Slabs.offset(reference), Slabs.NONE);
  }

  MemorySegment segment(long reference) {
    return slabs.segment(reference);
  }

  long older(long reference) {
    return Bytes.getLong(slabs.segment(reference), Slabs.offset(reference));
  }

  long sequence(long reference) {
    return Bytes.getLong(slabs.segment(reference), Slabs.offset(reference) + SEQUENCE);
  }

  static long keyOffset(long reference) {
    return Slabs.offset(reference) + KEY;
  }

  int keyLength(long reference) {
    return Bytes.getInt(slabs.segment(reference), Slabs.offset(reference) + KEY_LENGTH);
  }

  int prefixLength(long reference) {
    return Bytes.getInt(slabs.segment(reference), Slabs.offset(reference) + PREFIX_LENGTH);
  }

  long valueOffset(long reference) {
    return keyOffset(reference) + keyLength(reference);
  }

  int valueLength(long reference) {
    return Bytes.getInt(slabs.segment(reference), Slabs.offset(reference) + VALUE_LENGTH);
  }

  int valueCapacity(long reference) {
    return Bytes.getInt(slabs.segment(reference), Slabs.offset(reference) + VALUE_CAPACITY);
  }

  /** The sequence of a record whose key starts at an offset. */
  static long sequence(MemorySegment segment, long keyOffset) {
    return Bytes.getLong(segment, keyOffset - KEY + SEQUENCE);
  }

  /** The key length (high half) and the prefix length of a record whose key starts at an offset. */
  static long keyAndPrefixLength(MemorySegment segment, long keyOffset) {
    return Bytes.getLong(segment, keyOffset - KEY + KEY_LENGTH);
  }

  /** The value length of a record whose key starts at an offset. */
  static int valueLength(MemorySegment segment, long keyOffset) {
    return Bytes.getInt(segment, keyOffset - KEY + VALUE_LENGTH);
  }

  /** Compares a key with the key of a record, both from byte {@code skip} on. */
  int compare(MemorySegment key, long keyOffset, int keyLength, int skip, long reference) {
    MemorySegment segment = slabs.segment(reference);
    long at = Slabs.offset(reference);
    int length = Bytes.getInt(segment, at + KEY_LENGTH);
    return Bytes.compare(
        key, keyOffset + skip, keyLength - skip, segment, at + KEY + skip, length - skip);
  }

  /**
   * Whether a key that is equal to that of a record in the first {@code skip} bytes is so in {@code
   * bytes} more.
   */
  boolean startsWith(
      MemorySegment key, long keyOffset, int keyLength, int skip, int bytes, long reference) {
    return keyLength >= skip + bytes
        && Bytes.equal(
            key, keyOffset + skip, bytes, segment(reference), keyOffset(reference) + skip, bytes);
  }

  /** The number of bytes that the keys of two records share at their beginning. */
  int commonPrefix(long a, long b) {
    return (int)
        Bytes.commonPrefix(
            segment(a), keyOffset(a), keyLength(a), segment(b), keyOffset(b), keyLength(b));
  }
}
