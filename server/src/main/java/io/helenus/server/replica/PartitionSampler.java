package io.helenus.server.replica;

import io.helenus.server.replica.PartitionQueues.Partition;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a shard by partition while it is used, and keeps the largest ones, in
 * bounded memory. Frequencies are counted in the way of Space-Saving (Metwally, Agrawal, El Abbadi
 * 2005): of more partitions than its capacity it forgets the rarest, whose count the new one
 * inherits as its possible error. Shard thread only.
 */
public final class PartitionSampler {
  /** What is sampled. */
  public enum Kind {
    /** Reads of a partition. */
    READS,
    /** Writes to a partition. */
    WRITES,
    /** The rows of a read. */
    READ_ROW_COUNT,
    /** The tombstones of a read. */
    READ_TOMBSTONE_COUNT,
    /** The bytes of a write. */
    WRITE_SIZE;

    /** Whether requests are counted; otherwise the largest ones are kept. */
    public boolean isFrequency() {
      return this == READS || this == WRITES;
    }
  }

  /**
   * What to sample.
   *
   * @param tableId 0 for all tables
   * @param capacity how many partitions are counted at a time
   * @param top how many of the largest requests are kept
   */
  public record Options(int tableId, Set<Kind> kinds, int capacity, int top) {
    /** Copies. */
    public Options {
      kinds = Set.copyOf(kinds);
    }
  }

  /**
   * A partition with its count, or a large request.
   *
   * @param prefix the key prefix of the partition
   * @param error by how much the count may be too high
   */
  public record Sample(int tableId, byte[] prefix, long count, long error) {
    /** The greatest count first. */
    public static final Comparator<Sample> GREATEST_FIRST =
        Comparator.comparingLong(Sample::count).reversed();
  }

  private static final class Counter {
    private long count;
    private long error;
  }

  private final Options options;
  private final Map<Kind, Map<Partition, Counter>> counters = new EnumMap<>(Kind.class);
  private final Map<Kind, PriorityQueue<Sample>> largest = new EnumMap<>(Kind.class);

  /** A sampler that has seen nothing. */
  public PartitionSampler(Options options) {
    this.options = options;
    for (Kind kind : options.kinds()) {
      if (kind.isFrequency()) {
        counters.put(kind, new HashMap<>());
      } else {
        largest.put(kind, new PriorityQueue<>(Comparator.comparingLong(Sample::count)));
      }
    }
  }

  private boolean covers(int tableId) {
    return options.tableId() == 0 || options.tableId() == tableId;
  }

  /** A read of a partition has ended. */
  void read(Partition partition, int rows, int tombstones) {
    if (covers(partition.tableId())) {
      count(Kind.READS, partition);
      keep(Kind.READ_ROW_COUNT, partition, rows);
      keep(Kind.READ_TOMBSTONE_COUNT, partition, tombstones);
    }
  }

  /** A write to a partition has begun. */
  void written(int tableId, MemorySegment prefix, long offset, int length, int bytes) {
    if (covers(tableId)) {
      Partition partition = new Partition(tableId, Bytes.toArray(prefix, offset, length));
      count(Kind.WRITES, partition);
      keep(Kind.WRITE_SIZE, partition, bytes);
    }
  }

  private void count(Kind kind, Partition partition) {
    Map<Partition, Counter> counted = counters.get(kind);
    if (counted == null) {
      return;
    }
    Counter counter = counted.get(partition);
    if (counter == null) {
      counter = counted.size() < options.capacity() ? new Counter() : replaced(counted);
      counted.put(partition, counter);
    }
    counter.count++;
  }

  /** Forgets the rarest partition; a new counter that inherits its count. */
  private static Counter replaced(Map<Partition, Counter> counted) {
    Map.@Nullable Entry<Partition, Counter> rarest = null;
    for (Map.Entry<Partition, Counter> each : counted.entrySet()) {
      if (rarest == null || each.getValue().count < rarest.getValue().count) {
        rarest = each;
      }
    }
    Counter counter = new Counter();
    if (rarest != null) {
      counter.count = rarest.getValue().count;
      counter.error = counter.count;
      counted.remove(rarest.getKey());
    }
    return counter;
  }

  private void keep(Kind kind, Partition partition, long number) {
    PriorityQueue<Sample> kept = largest.get(kind);
    if (kept == null || number == 0) {
      return;
    }
    Sample smallest = kept.peek();
    if (kept.size() < options.top() || (smallest != null && number > smallest.count())) {
      kept.add(new Sample(partition.tableId(), partition.prefix(), number, 0));
      if (kept.size() > options.top()) {
        kept.remove();
      }
    }
  }

  /** What was sampled, in no particular order. */
  public List<Sample> samples(Kind kind) {
    PriorityQueue<Sample> kept = largest.get(kind);
    List<Sample> samples = new ArrayList<>(kept == null ? List.of() : kept);
    counters
        .getOrDefault(kind, Map.of())
        .forEach(
            (partition, counter) ->
                samples.add(
                    new Sample(
                        partition.tableId(), partition.prefix(), counter.count, counter.error)));
    return samples;
  }
}
