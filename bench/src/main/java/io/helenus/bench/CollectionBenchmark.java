package io.helenus.bench;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
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
 * Changes and reads of one collection among many of the same size, 200,000 elements in all, whose
 * elements have paths and values of eight bytes. Changes go to a memtable that has all elements;
 * reads are from that memtable, from a file whose blocks are all in the cache, or from two such
 * files and a memtable, each of which has a version of every element.
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
public class CollectionBenchmark implements RowSink, ElementSink {
  private static final int ELEMENTS = 200_000;
  private static final int SLICE = 10;
  private static final int TABLE = 1;
  private static final int COLUMN = 1;
  private static final long PARTITION = 0x4142434445464748L;

  /** The number of elements of a collection. */
  @Param({"10", "1000", "10000"})
  public int size = 10;

  /** Where the collections are. */
  @Param({"memtable", "file", "several"})
  public String where = "memtable";

  private final ReadRequest request = new ReadRequest();
  private final int[] columns = {COLUMN};
  private final ByteWriter prefix = new ByteWriter(64);
  private final ByteWriter suffix = new ByteWriter(64);
  private final ByteWriter path = new ByteWriter(16);
  private final ByteWriter pathEnd = new ByteWriter(16);
  private final ByteWriter value = new ByteWriter(16).putLong(0x3132333435363738L);
  private final ByteWriter bytes = new ByteWriter(512);
  private final MutationWriter mutation = new MutationWriter(bytes);
  private final MutationView view = new MutationView();
  private final TableInMemory table = new TableInMemory(descriptor());
  private Memtable memtable = table.newMemtable();
  private TableSources sources = table.sources(List.of(), List.of());
  private int rows;
  private long timestamp = 1000;
  private long appended;
  private long random = 1;
  private long sum;

  private static TableDescriptor descriptor() {
    return new TableDescriptor(
        TABLE,
        List.of(
            new TableDescriptor.Column(
                COLUMN, TableDescriptor.Kind.MULTI_CELL, RowFormat.NO_TIMESTAMP)),
        1,
        TableDescriptor.Compression.LZ4,
        4,
        32,
        0.01);
  }

  /** Fills the memtable or file, and the cache. */
  @Setup
  public void fill() {
    rows = ELEMENTS / size;
    prefix.clear().putLong(PARTITION).putLong(PARTITION).putShort(0);
    fillMemtable();
    sources = table.sources(List.of(memtable), List.of());
    if (where.equals("file")) {
      memtable.retain();
      sources = table.sources(List.of(), List.of(table.write(memtable)));
    } else if (where.equals("several")) {
      List<Sstable> files = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        memtable.retain();
        files.add(table.write(memtable));
        memtable.release();
        memtable = table.newMemtable();
        fillMemtable();
      }
      sources = table.sources(List.of(memtable), files);
    }
    for (int row = 0; row < rows; row++) {
      beginRead(row);
      read();
    }
  }

  private void fillMemtable() {
    for (int row = 0; row < rows; row++) {
      beginRow(row);
      mutation.liveness(timestamp);
      for (int i = 0; i < size; i++) {
        put(i);
      }
      apply();
    }
  }

  private void makeKey(int row) {
    suffix.clear().putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_VALUE);
    suffix.putInt(row).putByte(KeyFormat.TAG_END);
  }

  private void beginRow(int row) {
    makeKey(row);
    bytes.clear();
    mutation.begin(0, 1, prefix.segment(), 0, prefix.size()).beginTable(TABLE);
    mutation.beginRow(suffix.segment(), 0, suffix.size());
  }

  private void put(long number) {
    path.clear().putLong(number);
    mutation.pathCell(
        COLUMN, timestamp, path.segment(), 0, path.size(), value.segment(), 0, value.size());
  }

  private void apply() {
    mutation.endRow().endTable().finish();
    timestamp++;
    view.wrap(bytes.segment(), 0, bytes.size());
    if (view.nextTable()) {
      memtable.apply(view, table.snapshots().next());
    }
  }

  private int next(int bound) {
    random = random * 6364136223846793005L + 1442695040888963407L;
    return (int) ((random >>> 33) % bound);
  }

  /** Appends an element to a collection; the memtable is refilled when it has doubled. */
  @Benchmark
  public long append() {
    if (appended++ > ELEMENTS) {
      memtable.release();
      memtable = table.newMemtable();
      appended = 0;
      fill();
    }
    beginRow(next(rows));
    put(size + appended);
    apply();
    return memtable.entryCount();
  }

  /** Overwrites an element. */
  @Benchmark
  public long put() {
    beginRow(next(rows));
    put(next(size));
    apply();
    return memtable.entryCount();
  }

  /** Removes an element. */
  @Benchmark
  public long remove() {
    beginRow(next(rows));
    path.clear().putLong(next(size));
    mutation.pathTombstone(COLUMN, timestamp, 1000, path.segment(), 0, path.size());
    apply();
    return memtable.entryCount();
  }

  private void beginRead(int row) {
    makeKey(row);
    request.reset(TABLE, 1).partition(prefix.segment(), 0, prefix.size()).columns(columns);
    request.addRow(suffix.segment(), 0, suffix.size());
  }

  private long read() {
    table.read(sources, request, this);
    return sum;
  }

  /** Reads one element. */
  @Benchmark
  public long readElement() {
    beginRead(next(rows));
    path.clear().putLong(next(size));
    request.addElement(COLUMN, path.segment(), 0, path.size());
    return read();
  }

  /** Reads ten elements in a row. */
  @Benchmark
  public long readSlice() {
    beginRead(next(rows));
    int first = next(Math.max(1, size - SLICE + 1));
    path.clear().putLong(first);
    pathEnd.clear().putLong(first + SLICE);
    request.addElements(
        COLUMN, path.segment(), 0, path.size(), pathEnd.segment(), 0, pathEnd.size());
    return read();
  }

  /** Reads a whole collection. */
  @Benchmark
  public long readWhole() {
    beginRead(next(rows));
    return read();
  }

  /** Reads all collections. */
  @Benchmark
  public long scan() {
    return scan(false);
  }

  /** Reads all collections, the last one first. */
  @Benchmark
  public long scanReversed() {
    return scan(true);
  }

  private long scan(boolean reversed) {
    request.reset(TABLE, 1).partition(prefix.segment(), 0, prefix.size()).columns(columns);
    request.reversed(reversed);
    return read();
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

  @Override
  public ElementSink elements() {
    return this;
  }

  @Override
  public boolean beginColumn(int column) {
    return true;
  }

  @Override
  public void beginRow() {}

  @Override
  public void element(ElementView element, ElementValue value) {
    sum += Bytes.getByte(value.segment(), value.valueOffset());
  }
}
