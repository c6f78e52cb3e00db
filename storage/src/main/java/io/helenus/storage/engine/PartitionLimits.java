package io.helenus.storage.engine;

/**
 * Limits above which partitions are reported when they are written to a file. Immutable.
 *
 * @param bytes the size of keys and values, uncompressed
 * @param tombstones the number of deleted cells, rows and ranges
 */
public record PartitionLimits(long bytes, long tombstones, Listener listener) {
  /** No limits. */
  public static final PartitionLimits NONE =
      new PartitionLimits(Long.MAX_VALUE, Long.MAX_VALUE, (table, prefix, bytes, tombstones) -> {});

  /** Receives the partitions above a limit. */
  public interface Listener {
    /**
     * A partition is above a limit in one file. Called on a background thread for each flush and
     * compaction that writes it; must not block.
     *
     * @param prefix the key prefix of the partition
     */
    void onExceeded(int tableId, byte[] prefix, long bytes, long tombstones);
  }
}
