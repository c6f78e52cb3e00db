package io.helenus.server.metrics;

import java.util.Comparator;

/**
 * How often a partition is read and written. Must not be modified.
 *
 * @param tableId the storage id of its table
 * @param prefix the prefix of its keys
 * @param readsPerSecond in the last few seconds
 * @param writesPerSecond likewise
 * @param readsPerSecondOfMinute an average in which older reads weigh less: after a minute a third
 * @param writesPerSecondOfMinute likewise
 */
public record HotPartition(
    int tableId,
    byte[] prefix,
    double readsPerSecond,
    double writesPerSecond,
    double readsPerSecondOfMinute,
    double writesPerSecondOfMinute) {
  /** The most requests of the last few seconds first, then the most of the last minute. */
  public static final Comparator<HotPartition> HOTTEST_FIRST =
      Comparator.<HotPartition>comparingDouble(
              each -> each.readsPerSecond() + each.writesPerSecond())
          .thenComparingDouble(
              each -> each.readsPerSecondOfMinute() + each.writesPerSecondOfMinute())
          .reversed();
}
