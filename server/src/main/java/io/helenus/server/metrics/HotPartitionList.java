package io.helenus.server.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The partitions of one shard, or of several, that are read and written most. Immutable.
 *
 * @param partitions the hottest first
 * @param readsPerSecond of all partitions, in the last few seconds
 * @param writesPerSecond likewise
 */
public record HotPartitionList(
    List<HotPartition> partitions, double readsPerSecond, double writesPerSecond) {
  /** Nothing is counted. */
  public static final HotPartitionList NONE = new HotPartitionList(List.of(), 0, 0);

  /** Copies. */
  public HotPartitionList {
    partitions = List.copyOf(partitions);
  }

  /** The list of two shards, which share no partition. */
  public HotPartitionList plus(HotPartitionList other) {
    List<HotPartition> both = new ArrayList<>(partitions);
    both.addAll(other.partitions);
    both.sort(HotPartition.HOTTEST_FIRST);
    return new HotPartitionList(
        both, readsPerSecond + other.readsPerSecond, writesPerSecond + other.writesPerSecond);
  }

  /** The share of all reads that go to a partition, from 0 to 1. */
  public double readShare(HotPartition partition) {
    return readsPerSecond == 0 ? 0 : Math.min(1, partition.readsPerSecond() / readsPerSecond);
  }

  /** The share of all writes that go to a partition, from 0 to 1. */
  public double writeShare(HotPartition partition) {
    return writesPerSecond == 0 ? 0 : Math.min(1, partition.writesPerSecond() / writesPerSecond);
  }

  /** The share of the partition that has most reads. */
  public double largestReadShare() {
    return largest(this::readShare);
  }

  /** The share of the partition that has most writes. */
  public double largestWriteShare() {
    return largest(this::writeShare);
  }

  private double largest(ToDoubleFunction<HotPartition> share) {
    return partitions.stream().mapToDouble(share).max().orElse(0);
  }
}
