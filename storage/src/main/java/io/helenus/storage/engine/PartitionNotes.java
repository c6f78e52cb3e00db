package io.helenus.storage.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * What was noted of the partitions of one file, or of several together: how many there are of which
 * size and of how many cells, and those that are large or have many tombstones. Immutable; the
 * arrays are not copied and must not be changed.
 *
 * @param countsBySize at index i the number of partitions of more than 2<sup>i-1</sup> and at most
 *     2<sup>i</sup> bytes
 * @param countsByCells the same by the number of cells; shorter if files of earlier versions, which
 *     have not noted it, are among them
 * @param partitions the {@link #LISTED} largest of at least {@link #LARGE_BYTES}, and the {@link
 *     #LISTED} with the most tombstones of at least {@link #MANY_TOMBSTONES}; in no order
 */
public record PartitionNotes(
    long[] countsBySize, long[] countsByCells, List<Partition> partitions) {
  /** How many partitions a file lists of either kind. */
  public static final int LISTED = 20;

  /** The size in bytes from which on a partition is listed. */
  public static final long LARGE_BYTES = 64 * 1024;

  /** The number of tombstones from which on a partition is listed. */
  public static final long MANY_TOMBSTONES = 1000;

  /** Nothing was noted. */
  public static final PartitionNotes NONE = new PartitionNotes(new long[0], new long[0], List.of());

  private static final Comparator<Partition> BY_SIZE = Comparator.comparingLong(Partition::bytes);
  private static final Comparator<Partition> BY_TOMBSTONES =
      Comparator.comparingLong(Partition::tombstones);

  /**
   * A partition in one file, or the sum over the files that list it.
   *
   * @param prefix the key prefix of the partition
   * @param files the number of files
   * @param bytes the size of keys and values, uncompressed; the partition's own key counts once per
   *     file
   * @param rows rows and static rows
   * @param tombstones deleted cells, rows and ranges
   */
  public record Partition(byte[] prefix, int files, long bytes, long rows, long tombstones) {
    private Partition plus(Partition other) {
      return new Partition(
          prefix,
          files + other.files,
          bytes + other.bytes,
          rows + other.rows,
          tombstones + other.tombstones);
    }
  }

  /** The index in the counts of a partition of this many bytes or cells. */
  public static int sizeClass(long size) {
    return size <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(size - 1);
  }

  /** The most bytes or cells of a partition that is counted at this index. */
  public static long largestOfClass(int sizeClass) {
    return sizeClass >= Long.SIZE - 1 ? Long.MAX_VALUE : 1L << sizeClass;
  }

  /** The listed partitions of at least {@link #LARGE_BYTES}, the largest first. */
  public List<Partition> largest() {
    return partitions.stream()
        .filter(each -> each.bytes >= LARGE_BYTES)
        .sorted(BY_SIZE.reversed())
        .limit(LISTED)
        .toList();
  }

  /** The listed partitions of at least {@link #MANY_TOMBSTONES}, those with the most first. */
  public List<Partition> tombstoneHeavy() {
    return partitions.stream()
        .filter(each -> each.tombstones >= MANY_TOMBSTONES)
        .sorted(BY_TOMBSTONES.reversed())
        .limit(LISTED)
        .toList();
  }

  /**
   * The sum of the notes of different files. What is in several files counts once in each: of a row
   * that is overwritten or deleted in another file, both are counted until a compaction merges
   * them.
   */
  public static PartitionNotes sum(Collection<PartitionNotes> files) {
    if (files.size() == 1) {
      return files.iterator().next();
    }
    Builder sum = new Builder();
    Map<ByteBuffer, Partition> byPrefix = new HashMap<>();
    for (PartitionNotes file : files) {
      for (int i = 0; i < file.countsBySize.length; i++) {
        sum.countsBySize[i] += file.countsBySize[i];
      }
      for (int i = 0; i < file.countsByCells.length; i++) {
        sum.countsByCells[i] += file.countsByCells[i];
      }
      for (Partition each : file.partitions) {
        byPrefix.merge(ByteBuffer.wrap(each.prefix), each, Partition::plus);
      }
    }
    byPrefix.values().forEach(sum::list);
    return sum.build();
  }

  /** Collects notes, partition by partition. One thread. */
  public static final class Builder {
    private final long[] countsBySize = new long[Long.SIZE];
    private final long[] countsByCells = new long[Long.SIZE];
    private final PriorityQueue<Partition> largest = new PriorityQueue<>(BY_SIZE);
    private final PriorityQueue<Partition> tombstoneHeavy = new PriorityQueue<>(BY_TOMBSTONES);
    private long leastBytes = LARGE_BYTES;
    private long leastTombstones = MANY_TOMBSTONES;

    /** Creates a builder without partitions. */
    public Builder() {}

    /** Counts a partition. */
    public void count(long bytes, long cells) {
      countsBySize[sizeClass(bytes)]++;
      countsByCells[sizeClass(cells)]++;
    }

    /** Whether {@link #list} would list such a partition. Few are, so ask before copying a key. */
    public boolean isListed(long bytes, long tombstones) {
      return bytes >= leastBytes || tombstones >= leastTombstones;
    }

    /** Lists a partition, which {@link #count} does not count, if it is among the first. */
    public void list(Partition partition) {
      if (partition.bytes >= leastBytes) {
        add(partition, largest);
        leastBytes = largest.size() < LISTED ? LARGE_BYTES : largest.element().bytes + 1;
      }
      if (partition.tombstones >= leastTombstones) {
        add(partition, tombstoneHeavy);
        leastTombstones =
            tombstoneHeavy.size() < LISTED
                ? MANY_TOMBSTONES
                : tombstoneHeavy.element().tombstones + 1;
      }
    }

    private static void add(Partition partition, PriorityQueue<Partition> listed) {
      listed.add(partition);
      if (listed.size() > LISTED) {
        listed.remove();
      }
    }

    /** Returns the notes. */
    public PartitionNotes build() {
      // a partition that is in both lists is the same object
      Set<Partition> listed = new LinkedHashSet<>(largest);
      listed.addAll(tombstoneHeavy);
      return new PartitionNotes(trimmed(countsBySize), trimmed(countsByCells), List.copyOf(listed));
    }

    private static long[] trimmed(long[] counts) {
      int end = counts.length;
      while (end > 0 && counts[end - 1] == 0) {
        end--;
      }
      return Arrays.copyOf(counts, end);
    }
  }
}
