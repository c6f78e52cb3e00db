package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * Encodes the keys of rows and partitions selected by {@code =}; on the hot path. Formats are in
 * storage/docs/rows.md. One per shard; shard thread only.
 */
public final class KeyWriter {
  private static final int KEPT_BYTES = 16 << 10;

  private final ByteWriter composite = new ByteWriter(256);
  private final ByteWriter value = new ByteWriter(64);
  private final ByteWriter scratch = new ByteWriter(64);

  /**
   * Appends the prefix of a partition from one slot per partition key column.
   *
   * @return the token; 0 for local tables
   * @throws CqlException INVALID if a value is null or unset, or the key is empty or too long
   */
  public long putPrefix(KeyLayout keys, BoundSlots bound, int[] slots, ByteWriter prefix) {
    long columnBytes = 0;
    for (int i = 0; i < slots.length; i++) {
      requireSet(bound.length(slots[i]), keys.partitionName(i));
      columnBytes += bound.length(slots[i]);
    }
    PartitionKeys.validateLength(columnBytes);
    if (keys.isLocal()) {
      for (int i = 0; i < slots.length; i++) {
        int slot = slots[i];
        keys.partitionEncoding(i)
            .write(bound.segment(slot), bound.offset(slot), bound.length(slot), false, prefix);
      }
      return 0;
    }
    if (keys.partitionTypes().hasCanonical()) {
      return putCanonical(keys.partitionTypes(), bound, slots, prefix);
    }
    if (slots.length == 1) {
      int slot = slots[0];
      return putPrefix(bound.segment(slot), bound.offset(slot), bound.length(slot), prefix);
    }
    composite.clear(KEPT_BYTES);
    for (int slot : slots) {
      PartitionKeys.putComponent(
          bound.segment(slot), bound.offset(slot), bound.length(slot), composite);
    }
    return putPrefix(composite.segment(), 0, composite.size(), prefix);
  }

  private long putCanonical(
      PartitionKeyTypes types, BoundSlots bound, int[] slots, ByteWriter prefix) {
    composite.clear(KEPT_BYTES);
    for (int i = 0; i < slots.length; i++) {
      int slot = slots[i];
      ByteWriter out = slots.length == 1 ? composite : value.clear(KEPT_BYTES);
      types.put(i, bound.segment(slot), bound.offset(slot), bound.length(slot), scratch, out);
      if (slots.length > 1) {
        PartitionKeys.putComponent(out.segment(), 0, out.size(), composite);
      }
    }
    return putPrefix(composite.segment(), 0, composite.size(), prefix);
  }

  /** Appends the prefix of a partition from the bytes of its key; returns the token. */
  public static long putPrefix(MemorySegment key, long offset, int length, ByteWriter prefix) {
    PartitionKeys.validate(length);
    long token = Murmur3.token(key, offset, length);
    KeyFormat.putPartition(token, key, offset, length, prefix);
    return token;
  }

  /**
   * Appends the key suffix of a row from one slot per clustering column; the last columns are null
   * if there are fewer slots.
   *
   * @throws CqlException INVALID if a value is null or unset
   */
  public static void putRowSuffix(
      KeyLayout keys, BoundSlots bound, int[] slots, ByteWriter suffix) {
    suffix.putByte(KeyFormat.SECTION_ROWS);
    for (int i = 0; i < slots.length; i++) {
      int slot = slots[i];
      int length = bound.length(slot);
      requireSet(length, keys.clusteringName(i));
      keys.clusteringEncoding(i)
          .write(bound.segment(slot), bound.offset(slot), length, keys.isDescending(i), suffix);
    }
    putNulls(keys.clusteringCount() - slots.length, suffix);
    suffix.putByte(KeyFormat.TAG_END);
  }

  /** Appends the components of clustering columns that are null. */
  static void putNulls(int count, ByteWriter suffix) {
    for (int i = 0; i < count; i++) {
      suffix.putByte(KeyFormat.TAG_NULL);
    }
  }

  /**
   * Checks the value of a key column.
   *
   * @param length the length of the value as returned by {@link BoundSlots#length}
   * @throws CqlException INVALID if the value is null or unset
   */
  public static void requireSet(int length, String column) {
    if (length >= 0) {
      return;
    }
    throw length == BoundSlots.NULL
        ? CqlException.invalid("Invalid null value in condition for column " + column)
        : CqlException.invalid("Invalid unset value for column " + column);
  }
}
