package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.replica.PartitionQueues.Partition;
import io.helenus.server.replica.PartitionSampler.Kind;
import io.helenus.server.replica.PartitionSampler.Options;
import io.helenus.server.replica.PartitionSampler.Sample;
import io.helenus.storage.bytes.ByteWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Frequent partitions are found, and large requests, in bounded memory. */
class PartitionSamplerTest {
  private static PartitionSampler sampler(int tableId, Set<Kind> kinds) {
    return new PartitionSampler(new Options(tableId, kinds, 16, 3));
  }

  private static Partition partition(int tableId, int key) {
    return new Partition(tableId, new byte[] {(byte) (key >> 8), (byte) key});
  }

  private static List<Sample> top(PartitionSampler sampler, Kind kind) {
    return sampler.samples(kind).stream().sorted(Sample.GREATEST_FIRST).toList();
  }

  @Test
  void aFrequentPartitionIsFoundAmongManyRareOnes() {
    PartitionSampler sampler = sampler(0, EnumSet.allOf(Kind.class));
    for (int i = 0; i < 10_000; i++) {
      sampler.read(partition(7, i % 5 == 0 ? 1 : i), 1, 0);
    }
    List<Sample> reads = top(sampler, Kind.READS);
    assertEquals(16, reads.size(), "the capacity");
    Sample first = reads.getFirst();
    assertArrayEquals(new byte[] {0, 1}, first.prefix());
    assertTrue(
        first.count() >= 2000 && first.count() - first.error() <= 2001,
        first.count() + " +/- " + first.error());
    assertEquals(3, sampler.samples(Kind.READ_ROW_COUNT).size());
    assertEquals(List.of(), sampler.samples(Kind.READ_TOMBSTONE_COUNT));
    assertEquals(List.of(), sampler.samples(Kind.WRITES));
  }

  @Test
  void countsAreExactBelowTheCapacity() {
    PartitionSampler sampler = sampler(7, EnumSet.of(Kind.WRITES, Kind.WRITE_SIZE));
    for (int i = 0; i < 10; i++) {
      for (int times = 0; times <= i; times++) {
        ByteWriter prefix = new ByteWriter(2).putShort(i);
        sampler.written(7, prefix.segment(), 0, 2, 100 * i + times);
        sampler.written(8, prefix.segment(), 0, 2, 1_000_000);
      }
    }
    List<Sample> writes = top(sampler, Kind.WRITES);
    assertEquals(10, writes.size());
    assertEquals(10, writes.getFirst().count());
    assertEquals(1, writes.getLast().count());
    assertTrue(writes.stream().allMatch(each -> each.error() == 0 && each.tableId() == 7));
    assertEquals(
        List.of(909L, 908L, 907L),
        top(sampler, Kind.WRITE_SIZE).stream().map(Sample::count).toList());
    assertEquals(List.of(), sampler.samples(Kind.READS));
  }
}
