package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.row.CounterDeltas;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table with columns of all kinds under given ids. The same mutation can be written to tables
 * with other ids, and what is read is shown without the ids. Not thread-safe.
 */
final class RandomColumns {
  private static final TableDescriptor.Kind S = TableDescriptor.Kind.SIMPLE;
  private static final TableDescriptor.Kind M = TableDescriptor.Kind.MULTI_CELL;

  /** Clustering column, three simple, four multi-cell, a counter; two static. */
  private static final List<TableDescriptor.Kind> KINDS =
      List.of(S, S, S, S, M, M, M, M, TableDescriptor.Kind.COUNTER, S, M);

  static final int COUNT = KINDS.size();
  private static final int KEY = 0;
  private static final int COUNTER = 8;
  private static final int FIRST_STATIC = 9;
  private static final int CLUSTERINGS = 6;
  private static final int PATHS = 5;

  private record Write(
      int column, boolean columnDeletion, int path, @Nullable Integer value, long timestamp) {}

  final int tableId;

  /** The id of each column. */
  final int[] ids;

  RandomColumns(int tableId, int[] ids) {
    this.tableId = tableId;
    this.ids = ids.clone();
  }

  /** Distinct ids of one to three bytes in random order. */
  static int[] randomIds(SimRandomness random) {
    List<Integer> ids = new ArrayList<>();
    while (ids.size() < COUNT) {
      int id = 1 + (random.percent(70) ? random.below(20) : random.below(40_000));
      if (!ids.contains(id)) {
        ids.add(id);
      }
    }
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  TableDescriptor descriptor() {
    List<TableDescriptor.Column> columns =
        IntStream.range(0, COUNT)
            .mapToObj(i -> new TableDescriptor.Column(ids[i], KINDS.get(i), RowFormat.NO_TIMESTAMP))
            .sorted(Comparator.comparingInt(TableDescriptor.Column::id))
            .toList();
    return new TableDescriptor(
        tableId, columns, 100, TableDescriptor.Compression.LZ4, 5, 8, 0.01, List.of());
  }

  /**
   * A mutation of a partition.
   *
   * @param random the same state yields the same mutation, whatever the ids are
   * @param latest the latest timestamp; others are up to a second earlier
   * @param columns of which cells are written
   */
  ByteWriter mutation(
      int partition, SimRandomness random, long latest, long nowSeconds, List<Integer> columns) {
    ByteWriter bytes = new ByteWriter(512);
    MutationWriter writer = new MutationWriter(bytes);
    ByteWriter prefix = TestKeys.prefix(partition);
    writer.begin(TestKeys.token(partition), 1, prefix.segment(), 0, prefix.size());
    writer.beginTable(tableId);
    int dice = random.below(100);
    int clustering = random.below(CLUSTERINGS);
    long timestamp = latest - random.below(1_000_000);
    if (dice < 4) {
      writer.partitionDeletion(timestamp, nowSeconds);
    } else if (dice < 12) {
      ByteWriter start = TestKeys.suffix(clustering, KeyFormat.TAG_BOUND_BEFORE);
      ByteWriter end =
          TestKeys.suffix(
              clustering + random.below(CLUSTERINGS - clustering), KeyFormat.TAG_BOUND_AFTER);
      writer.rangeDeletion(
          start.segment(), 0, start.size(), end.segment(), 0, end.size(), timestamp, nowSeconds);
    } else {
      boolean isStatic = dice < 30;
      ByteWriter suffix =
          isStatic ? TestKeys.staticSuffix() : TestKeys.suffix(clustering, KeyFormat.TAG_END);
      writer.beginRow(suffix.segment(), 0, suffix.size());
      row(writer, isStatic, random, timestamp, nowSeconds, columns);
      writer.endRow();
    }
    writer.endTable();
    writer.finish();
    ShareId share = new ShareId(1 + random.below(2), 7);
    long count = random.below(1000);
    new CounterDeltas()
        .forEach(
            bytes.segment(),
            0,
            bytes.size(),
            (segment, suffixOffset, suffixLength, column, cell) ->
                CounterDeltas.settle(segment, cell, share, timestamp, count));
    return bytes;
  }

  private void row(
      MutationWriter writer,
      boolean isStatic,
      SimRandomness random,
      long timestamp,
      long nowSeconds,
      List<Integer> columns) {
    boolean inserted = !isStatic && random.percent(40);
    if (inserted) {
      writer.liveness(timestamp);
    }
    if (random.percent(20)) {
      int ttl = 1000 + random.below(1000);
      writer.rowExpiry(ttl, nowSeconds + ttl);
    }
    if (!isStatic && (random.percent(15) || !inserted)) {
      writer.rowDeletion(timestamp - random.below(1_500_000), nowSeconds);
    }
    List<Write> writes = new ArrayList<>();
    for (int column = 0; column < COUNT; column++) {
      boolean fits = column >= FIRST_STATIC == isStatic && columns.contains(column);
      if (random.percent(50)) {
        writes(column, random, timestamp, fits ? writes : new ArrayList<>());
      }
    }
    writes.sort(
        Comparator.comparingInt((Write write) -> ids[write.column])
            .thenComparing(write -> !write.columnDeletion)
            .thenComparingInt(Write::path));
    writes.forEach(write -> put(write, writer, nowSeconds));
  }

  private static void writes(int column, SimRandomness random, long timestamp, List<Write> writes) {
    if (KINDS.get(column) != M) {
      writes.add(new Write(column, false, 0, value(random), time(random, timestamp)));
      return;
    }
    if (random.percent(30)) {
      writes.add(new Write(column, true, 0, null, timestamp - 1));
    }
    for (int path = 0; path < PATHS; path++) {
      if (random.percent(50)) {
        writes.add(new Write(column, false, path, value(random), time(random, timestamp)));
      }
    }
  }

  private static @Nullable Integer value(SimRandomness random) {
    return random.percent(20) ? null : Integer.valueOf(random.below(1_000_000));
  }

  private static long time(SimRandomness random, long timestamp) {
    return random.percent(30) ? timestamp - random.below(500_000) : timestamp;
  }

  private void put(Write write, MutationWriter writer, long nowSeconds) {
    int id = ids[write.column];
    ByteWriter path = new ByteWriter(8).putInt(write.path);
    ByteWriter value = new ByteWriter(8).putInt(write.value == null ? 0 : write.value);
    boolean hasPath = KINDS.get(write.column) == M;
    if (write.columnDeletion) {
      writer.columnDeletion(id, write.timestamp, nowSeconds);
    } else if (write.column == COUNTER) {
      writer.counterDelta(id, write.timestamp, 1);
    } else if (write.value == null && hasPath) {
      writer.pathTombstone(id, write.timestamp, nowSeconds, path.segment(), 0, path.size());
    } else if (write.value == null) {
      writer.tombstone(id, write.timestamp, nowSeconds);
    } else if (write.column == KEY) {
      writer.keyForm(id, write.timestamp, value.segment(), 0, value.size());
    } else if (hasPath) {
      writer.pathCell(
          id, write.timestamp, path.segment(), 0, path.size(), value.segment(), 0, value.size());
    } else {
      writer.cell(id, write.timestamp, value.segment(), 0, value.size());
    }
  }

  /** Which cells are shown. */
  interface Filter {
    boolean shows(int column, long timestamp);
  }

  /** What is read, with the positions of columns instead of their ids. */
  final class Sink implements RowSink {
    final TreeMap<Integer, String> rows = new TreeMap<>();
    private final long nowSeconds;
    private final Filter filter;
    private int partition;

    Sink(long nowSeconds, Filter filter) {
      this.nowSeconds = nowSeconds;
      this.filter = filter;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      partition = TestKeys.partitionKey(prefix, offset);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      show(-1, row);
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      show(TestKeys.clustering(clustering, offset), row);
      return Next.CONTINUE;
    }

    private void show(int clustering, RowView row) {
      boolean lives = row.isLive(nowSeconds);
      TreeMap<String, String> cells = new TreeMap<>();
      if (lives) {
        cells.put("", row.timestamp() + "+" + row.ttl() + "~" + row.expirySeconds());
      }
      int last = -1;
      row.rewind();
      while (row.nextCell()) {
        if (row.column() < last) {
          throw new AssertionError("column " + row.column() + " after " + last);
        }
        last = row.column();
        int column = position(row.column());
        if (column >= 0
            && row.cellIsLive(nowSeconds)
            && filter.shows(column, row.cellTimestamp())) {
          lives |= row.cellMakesRowLive(nowSeconds);
          String path = hex(row, row.pathOffset(), Math.max(0, row.pathLength()));
          cells.put(
              column + " " + path,
              hex(row, row.valueOffset(), row.valueLength())
                  + ("@" + row.cellTimestamp() + "+" + row.cellTtl() + "~" + row.cellSeconds()));
        }
      }
      if (lives) {
        rows.put(partition * 100 + clustering, cells.toString());
      }
    }

    private static String hex(RowView row, long offset, int length) {
      return HexFormat.of().formatHex(Bytes.toArray(row.segment(), offset, length));
    }

    private int position(int id) {
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] == id) {
          return i;
        }
      }
      return -1;
    }
  }
}
