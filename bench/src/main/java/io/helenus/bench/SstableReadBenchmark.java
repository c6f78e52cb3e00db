package io.helenus.bench;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.sstable.Sstable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Complete reads through cursor and sink, with all blocks in the cache. The data is 4,000
 * partitions of 50 rows of about 220 bytes, in a memtable, in one file, or in four files of which
 * each contains every fourth row.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx1g",
      "-XX:+UseSerialGC",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class SstableReadBenchmark implements RowSink {
  private static final int PARTITIONS = 4_000;
  private static final int ROWS = 50;
  private static final int TABLE = 1;

  /** Where the rows are. */
  @Param({"memtable", "file", "files"})
  public String where = "memtable";

  private final ReadRequest request = new ReadRequest();
  private final int[] columns = {1, 2, 3, 4};
  private final ByteWriter prefix = new ByteWriter(64);
  private final ByteWriter suffix = new ByteWriter(64);
  private final TableInMemory table = new TableInMemory(descriptor());
  private TableSources sources = table.sources(List.of(), List.of());
  private long random = 1;
  private long sum;

  private static TableDescriptor descriptor() {
    List<TableDescriptor.Column> columns = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      columns.add(
          new TableDescriptor.Column(i, TableDescriptor.Kind.SIMPLE, RowFormat.NO_TIMESTAMP));
    }
    return new TableDescriptor(TABLE, columns, 1, TableDescriptor.Compression.LZ4, 4, 32, 0.01);
  }

  /** Fills the memtable or files, and the cache. */
  @Setup
  public void fill() {
    int files = where.equals("files") ? 4 : where.equals("file") ? 1 : 0;
    List<Memtable> memtables = new ArrayList<>();
    List<Sstable> sstables = new ArrayList<>();
    for (int part = 0; part < Math.max(1, files); part++) {
      Memtable memtable = table.newMemtable();
      fill(memtable, part, Math.max(1, files));
      if (files == 0) {
        memtables.add(memtable);
      } else {
        sstables.add(table.write(memtable));
      }
    }
    sources = table.sources(memtables, sstables);
    for (int i = 0; i < PARTITIONS; i++) {
      read(i, -1);
    }
  }

  private void fill(Memtable memtable, int part, int parts) {
    ByteWriter value = new ByteWriter(64);
    for (int i = 0; i < 50; i++) {
      value.putByte((i * 131 + part * 7) % 251);
    }
    ByteWriter bytes = new ByteWriter(512);
    MutationWriter mutation = new MutationWriter(bytes);
    MutationView view = new MutationView();
    for (int i = part; i < PARTITIONS * ROWS; i += parts) {
      makeKey(i / ROWS, i % ROWS);
      bytes.clear();
      mutation.begin(0, 1, prefix.segment(), 0, prefix.size()).beginTable(TABLE);
      mutation.beginRow(suffix.segment(), 0, suffix.size()).liveness(1000 + part);
      for (int column = 1; column <= 4; column++) {
        value.setInt(4 * column, i * 31 + column);
        mutation.cell(column, 1000 + part, value.segment(), 0, value.size());
      }
      mutation.endRow().endTable().finish();
      view.wrap(bytes.segment(), 0, bytes.size());
      if (view.nextTable()) {
        memtable.apply(view, table.snapshots().next());
      }
    }
  }

  private void makeKey(int partition, int row) {
    prefix.clear().putLong(partition * 0x9E3779B97F4A7C15L).putLong(0x4142434445464748L);
    prefix.putShort(0);
    suffix.clear().putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_VALUE);
    suffix.putInt(row).putByte(KeyFormat.TAG_END);
  }

  private int next(int bound) {
    random = random * 6364136223846793005L + 1442695040888963407L;
    return (int) ((random >>> 33) % bound);
  }

  private long read(int partition, int row) {
    makeKey(partition, Math.max(0, row));
    request.reset(TABLE, 1).partition(prefix.segment(), 0, prefix.size()).columns(columns);
    if (row >= 0) {
      request.addRow(suffix.segment(), 0, suffix.size());
    }
    table.read(sources, request, this);
    return sum;
  }

  /** One row by its whole key. */
  @Benchmark
  public long pointRead() {
    return read(next(PARTITIONS), next(ROWS));
  }

  /** A partition of 50 rows. */
  @Benchmark
  public long sliceOf50() {
    return read(next(PARTITIONS), -1);
  }

  /** All 200,000 rows. */
  @Benchmark
  public long scan() {
    request.reset(TABLE, 1).partitions(prefix.segment(), 0, 0, prefix.segment(), 0, 0);
    table.read(sources, request, this);
    return sum;
  }

  @Override
  public Next partition(MemorySegment key, long offset, int length) {
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    while (row.nextCell()) {
      sum += Bytes.getByte(row.segment(), row.valueOffset());
    }
    return Next.CONTINUE;
  }
}
