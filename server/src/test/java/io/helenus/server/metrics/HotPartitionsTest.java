package io.helenus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotPartitionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int TABLE = 100;

  private final ByteWriter prefix = new ByteWriter(16);
  private long now = 5 * SECOND;
  private HotPartitions hot = new HotPartitions(HotPartitions.USEFUL_BYTES, 7, now);

  private static long token(long key) {
    long mixed = (key ^ (key >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  private void request(int table, long key, boolean isWrite) {
    if (isWrite ? hot.samplesWrite() : hot.samplesRead()) {
      prefix.clear().putLong(token(key)).putLong(key);
      hot.record(table, prefix.segment(), 0, prefix.size(), isWrite, now);
    }
  }

  private static long key(HotPartition partition) {
    return Bytes.getLong(
        new ByteWriter(16).putBytes(partition.prefix()).segment(), partition.prefix().length - 8);
  }

  /** A line for each partition: table, key, rates, and rates of the minute. */
  private String listed() {
    StringBuilder out = new StringBuilder();
    HotPartitionList list = hot.list(now);
    for (HotPartition each : list.partitions()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%d/%d reads %.1f (%.2f) writes %.1f (%.2f) shares %.2f %.2f%n",
              each.tableId(),
              key(each),
              each.readsPerSecond(),
              each.readsPerSecondOfMinute(),
              each.writesPerSecond(),
              each.writesPerSecondOfMinute(),
              list.readShare(each),
              list.writeShare(each)));
    }
    return out.toString();
  }

  @Test
  void partitionsAreListedWhileTheyAreHotAndForAMinute() {
    assertEquals("", listed());
    for (int i = 0; i < 25; i++) {
      request(TABLE, 1, false);
      request(TABLE, 1, i % 5 == 0);
      request(TABLE + 1, 1, true);
      request(TABLE, 100 + i, false); // once each
      now += SECOND / 10;
    }
    assertEquals(
        """
        100/1 reads 18.0 (0.73) writes 2.0 (0.08) shares 0.64 0.17
        101/1 reads 0.0 (0.00) writes 10.0 (0.41) shares 0.00 0.83
        """,
        listed());
    now += SECOND;
    request(TABLE, 2, false);
    request(TABLE, 2, false);
    assertEquals(
        """
        100/1 reads 12.9 (0.73) writes 1.4 (0.08) shares 0.63 0.17
        101/1 reads 0.0 (0.00) writes 7.1 (0.41) shares 0.00 0.83
        100/2 reads 0.6 (0.00) writes 0.0 (0.00) shares 0.03 0.00
        """,
        listed(),
        "a partition of the present window is listed at once");
    now += 30 * SECOND;
    assertEquals(
        """
        100/1 reads 0.0 (0.44) writes 0.0 (0.05) shares 0.00 0.00
        101/1 reads 0.0 (0.00) writes 0.0 (0.24) shares 0.00 0.00
        100/2 reads 0.0 (0.02) writes 0.0 (0.00) shares 0.00 0.00
        """,
        listed(),
        "after half a minute without requests");
    now += 30 * SECOND;
    assertEquals("100/2", listed().split(" ", 2)[0], "those of a minute ago are forgotten");
    now += 3 * SECOND;
    assertEquals("", listed());
  }

  /** Zipf's law with exponent 1 on ranks from 1 to n, exactly, by rejection. */
  private static long zipf(SplittableRandom random, long n) {
    while (true) {
      long rank = (long) Math.exp(random.nextDouble() * Math.log(n + 1.0));
      double ratio = 1 / (rank * Math.log1p(1.0 / rank));
      if (random.nextDouble() * (1 / Math.log(2)) < ratio) {
        return rank;
      }
    }
  }

  private static Set<Long> hottest(Map<Long, Integer> counts, int most) {
    return new HashSet<>(
        counts.entrySet().stream()
            .sorted(Map.Entry.<Long, Integer>comparingByValue(Comparator.reverseOrder()))
            .limit(most)
            .map(Map.Entry::getKey)
            .toList());
  }

  @Test
  void theHottestOfTenMillionAreFoundFiveSecondsAfterAChange() {
    for (int perSecond : new int[] {40_000, 150_000}) {
      SplittableRandom random = new SplittableRandom(perSecond);
      for (int mix = 0; mix < 6; mix++) {
        Map<Long, Integer> counts = new HashMap<>();
        Set<Long> first = new HashSet<>();
        // changes come at every moment of a window
        int requests = perSecond * 5 + perSecond * 2 / 5 * mix;
        for (int i = 0; i < requests; i++) {
          long key = mix * 10_000_000L + zipf(random, 10_000_000);
          request(TABLE, key, false);
          now += SECOND / perSecond;
          if (i < perSecond * 5) {
            counts.merge(key, 1, Integer::sum);
          }
          if (i == perSecond * 5 - 1) {
            hot.list(now).partitions().stream().limit(12).forEach(each -> first.add(key(each)));
          }
        }
        Set<Long> missing = hottest(counts, 10);
        missing.removeAll(first);
        assertEquals(Set.of(), missing, "mix " + mix + " at " + perSecond);
      }
    }
  }

  @Test
  void ratesAreThoseOfAllRequestsThoughOnlySomeAreRecorded() {
    SplittableRandom random = new SplittableRandom(1);
    int recorded = 0;
    int perSecond = 400_000;
    for (int i = 0; i < 10 * perSecond; i++) {
      // a rhythm, in which a fixed distance between recorded requests would miss all or none
      long key = i % 16 == 0 ? 1 : 1000 + random.nextInt(1_000_000);
      if (hot.samplesWrite()) {
        recorded++;
        prefix.clear().putLong(token(key)).putLong(key);
        hot.record(TABLE, prefix.segment(), 0, prefix.size(), true, now);
      }
      now += SECOND / perSecond;
    }
    assertTrue(recorded < 10 * perSecond / 8, recorded + " recorded");
    HotPartitionList list = hot.list(now);
    HotPartition hottest = list.partitions().getFirst();
    assertEquals(1, key(hottest));
    assertEquals(25_000, hottest.writesPerSecond(), 1_000);
    assertEquals(perSecond, list.writesPerSecond(), 4_000);
    assertEquals(1 / 16.0, list.largestWriteShare(), 0.003);
    assertEquals(0, list.largestReadShare());
  }

  /** However many partitions there are and however long their keys, no more than the budget. */
  @Test
  void memoryIsBounded() {
    hot = new HotPartitions(64 << 10, 7, now);
    ByteWriter large = new ByteWriter(1 << 16);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 2000; i++) {
        long key = round * 1000L + i / 2;
        large.clear().putLong(token(key)).putBytes(new byte[i % 100 * 600]).putLong(key);
        if (hot.samplesRead()) {
          hot.record(TABLE, large.segment(), 0, large.size(), false, now);
        }
      }
      long bytes =
          hot.list(now).partitions().stream().mapToLong(each -> each.prefix().length).sum();
      assertTrue(bytes > 0 && bytes < 32 << 10, bytes + " bytes of keys");
      now += 3 * SECOND;
    }
  }

  @Test
  void nothingIsListedOfEvenTraffic() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000_000; i++) {
      request(TABLE, random.nextInt(10_000_000), false);
      now += SECOND / 100_000;
    }
    now += 2 * HotPartitions.WINDOW_NANOS;
    assertEquals(
        List.of(),
        hot.list(now).partitions().stream()
            .filter(each -> each.readsPerSecondOfMinute() > 20)
            .toList());
  }
}
