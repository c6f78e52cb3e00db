package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.CounterDeltas;
import io.helenus.storage.row.CounterShares;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationTimes;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The increments of counters in one partition of one table, and deletions beside them. The mutation
 * is encoded in advance, with deltas; computing it turns each delta into the replica's share of the
 * counter, which is its present share plus the delta. Increments of one counter in one mutation are
 * added up first, so that all of them become the same share. One thread at a time.
 */
final class CounterWrite implements ComputedWrite, RowSink {
  private final ReadRequest request;
  private final ByteWriter mutation;
  private final boolean hasPlaceholder;
  private final TreeMap<byte[], List<Counter>> byRow = new TreeMap<>(Arrays::compareUnsigned);
  private @Nullable ShareId share;

  /** A counter that the mutation increments. */
  private static final class Counter {
    private final int column;
    private final List<Long> cells = new ArrayList<>(1);
    private long delta;
    private long clock;
    private long count;

    Counter(int column) {
      this.column = column;
    }
  }

  /**
   * Creates a write.
   *
   * @param request of the partition; rows and columns are added to it
   * @param mutation with deltas, at offset 0; owned by the write from now on
   * @param hasPlaceholder whether its timestamps are relative to {@link
   *     ConditionalWrite#PLACEHOLDER_MICROS}, to be replaced by that of the write
   */
  CounterWrite(ReadRequest request, ByteWriter mutation, boolean hasPlaceholder) {
    this.request = request;
    this.mutation = mutation;
    this.hasPlaceholder = hasPlaceholder;
    new CounterDeltas().forEach(mutation.segment(), 0, mutation.size(), this::add);
    addToRequest();
  }

  private void add(
      MemorySegment segment, long suffixOffset, int suffixLength, int column, long cell) {
    byte[] suffix = Bytes.toArray(segment, suffixOffset, suffixLength);
    List<Counter> counters = byRow.computeIfAbsent(suffix, ignored -> new ArrayList<>(1));
    Counter counter = find(counters, column);
    if (counter == null) {
      counter = new Counter(column);
      counters.add(counter);
    }
    counter.cells.add(cell);
    counter.delta += CounterDeltas.delta(segment, cell);
  }

  private static @Nullable Counter find(List<Counter> counters, int column) {
    for (Counter counter : counters) {
      if (counter.column == column) {
        return counter;
      }
    }
    return null;
  }

  private void addToRequest() {
    int[] columns =
        byRow.values().stream()
            .flatMap(List::stream)
            .mapToInt(counter -> counter.column)
            .sorted()
            .distinct()
            .toArray();
    request.columns(columns).wantsStatic(false).wantsRows(false);
    for (byte[] suffix : byRow.keySet()) {
      if (suffix[0] == KeyFormat.SECTION_STATIC) {
        request.wantsStatic(true);
      } else {
        MemorySegment bytes = new ByteWriter(suffix.length).putBytes(suffix).segment();
        request.wantsRows(true).addRow(bytes, 0, suffix.length);
      }
    }
  }

  @Override
  public ReadRequest request() {
    return request;
  }

  @Override
  public boolean needsCounterShare() {
    return !byRow.isEmpty();
  }

  @Override
  public RowSink begin(@Nullable ShareId counterShare) {
    share = counterShare;
    for (List<Counter> counters : byRow.values()) {
      for (Counter counter : counters) {
        counter.clock = RowFormat.NO_TIMESTAMP;
        counter.count = 0;
      }
    }
    return this;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    read(byRow.get(new byte[] {KeyFormat.SECTION_STATIC}), row);
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    byte[] suffix = new byte[length + 1];
    suffix[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(Bytes.toArray(clustering, offset, length), 0, suffix, 1, length);
    read(byRow.get(suffix), row);
    return Next.CONTINUE;
  }

  private void read(@Nullable List<Counter> counters, RowView row) {
    ShareId own = share;
    if (counters == null || own == null) {
      return;
    }
    row.rewind();
    while (row.nextCell()) {
      Counter counter =
          (row.cellFlags() & RowFormat.CELL_COUNTER) == 0 ? null : find(counters, row.column());
      if (counter != null) {
        long at = CounterShares.find(row.segment(), row.valueOffset(), own);
        if (at != CounterShares.NONE) {
          counter.clock = CounterShares.clock(row.segment(), at);
          counter.count = CounterShares.count(row.segment(), at);
        }
      }
    }
  }

  @Override
  public boolean compute(long timestampMicros, ByteWriter out) {
    int start = out.size();
    out.putBytes(mutation.segment(), 0, mutation.size());
    if (hasPlaceholder) {
      new MutationTimes()
          .shift(
              out.segment(),
              start,
              mutation.size(),
              timestampMicros - ConditionalWrite.PLACEHOLDER_MICROS);
    }
    ShareId own = share;
    if (own != null) {
      for (List<Counter> counters : byRow.values()) {
        for (Counter counter : counters) {
          settle(counter, own, out.segment(), start);
        }
      }
    }
    return true;
  }

  private static void settle(Counter counter, ShareId own, MemorySegment segment, int start) {
    long timestamp = CounterDeltas.timestamp(segment, start + counter.cells.getFirst());
    if (counter.clock == Long.MAX_VALUE) {
      throw CqlException.invalid(
          "A counter cannot be incremented after an increment with the largest timestamp");
    }
    long clock = Math.max(timestamp, counter.clock + 1);
    for (long cell : counter.cells) {
      CounterDeltas.settle(segment, start + cell, own, clock, counter.count + counter.delta);
    }
  }
}
