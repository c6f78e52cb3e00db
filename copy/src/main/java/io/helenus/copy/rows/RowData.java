package io.helenus.copy.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row as it was read. The arrays of columns have the positions of {@link Table#columns}.
 *
 * @param token of its partition
 * @param key values of the primary key; the clustering columns are null if the partition has static
 *     columns and no rows
 * @param values of the columns
 * @param writeTimes of the columns: a {@code bigint}, or a list of them with one for each element;
 *     null if the column is, or if the server does not tell
 * @param ttls of the columns, in seconds: an {@code int} or a list of them
 */
public record RowData(
    ByteBuffer token,
    @Nullable ByteBuffer[] key,
    @Nullable ByteBuffer[] values,
    @Nullable ByteBuffer[] writeTimes,
    @Nullable ByteBuffer[] ttls) {
  /** Whether it stands for a partition with static columns and no rows. */
  public boolean isStaticOnly(Table table) {
    return key.length > table.partitionKeys() && key[table.partitionKeys()] == null;
  }

  /** Whether it is in the same partition as another. */
  public boolean isSamePartition(@Nullable RowData other, Table table) {
    if (other == null) {
      return false;
    }
    for (int i = 0; i < table.partitionKeys(); i++) {
      if (!Objects.equals(key[i], other.key[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether it has the same primary key as another. */
  public boolean isSameRow(RowData other) {
    return Arrays.equals(key, other.key);
  }

  /** About as many bytes as a request that writes it. */
  public long bytes() {
    long bytes = 0;
    for (ByteBuffer part : key) {
      bytes += part == null ? 0 : part.remaining();
    }
    for (ByteBuffer value : values) {
      bytes += value == null ? 0 : value.remaining();
    }
    return bytes;
  }

  /** Orders the partitions of two rows as the ring does: by token, then by the bytes of the key. */
  public int compareTo(RowData other, TokenRange.Ring ring, Table table) {
    int order = TokenRange.compare(ring, token, other.token);
    for (int i = 0; order == 0 && i < table.partitionKeys(); i++) {
      ByteBuffer mine = key[i];
      ByteBuffer others = other.key[i];
      order = mine == null || others == null ? 0 : Elements.compareUnsigned(mine, others);
    }
    return order;
  }

  /**
   * Whether two TTLs, or two lists of them, are the same.
   *
   * @param tolerance seconds between the reads
   */
  public static boolean isSameTtl(
      @Nullable ByteBuffer a, @Nullable ByteBuffer b, boolean isList, int tolerance) {
    int count = isList ? Math.max(Elements.count(a), Elements.count(b)) : 0;
    int[] mine = isList ? Elements.ttls(a, count) : new int[] {Elements.remaining(a)};
    int[] others = isList ? Elements.ttls(b, count) : new int[] {Elements.remaining(b)};
    for (int i = 0; i < mine.length; i++) {
      boolean differs = Math.abs((long) mine[i] - others[i]) > tolerance;
      if (differs || (mine[i] == 0) != (others[i] == 0)) {
        return false;
      }
    }
    return true;
  }
}
