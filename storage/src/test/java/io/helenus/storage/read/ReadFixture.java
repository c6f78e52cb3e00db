package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import io.helenus.storage.sstable.v1.V1Format;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of one shard with explicit memtables, flushes, compactions and reads. I/O and shard tasks
 * are queued until {@link #runTasks}.
 */
final class ReadFixture {
  static final int TABLE = 7;

  final SlabPool pool = new SlabPool(Arena.ofAuto());
  final Snapshots snapshots = new Snapshots();
  final NodeMemory memory;
  final V1Format format;
  final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  final List<Throwable> halts = new ArrayList<>();
  final BlockCache cache;
  final FilterCache filters;
  final ShardReads reads;
  TableDescriptor table;
  Memtable active;
  final List<Memtable> frozen = new ArrayList<>();
  final List<Sstable> files = new ArrayList<>();
  private final SimFileSystem disk = new SimFileSystem(new SimRandomness(1));
  private final List<String> paths = new ArrayList<>();
  private final LargeSegments segments = new LargeSegments();
  private final Map<String, Integer> diskReads = new HashMap<>();
  TableSources sources;
  private long nanos;
  private int names;

  ReadFixture(long cacheBytes, List<TableDescriptor.Column> columns, int clockEvery) {
    this(cacheBytes, columns, clockEvery, NodeMemory.unlimited());
  }

  ReadFixture(
      long cacheBytes, List<TableDescriptor.Column> columns, int clockEvery, NodeMemory memory) {
    table = new TableDescriptor(TABLE, columns, 100, TableDescriptor.Compression.LZ4, 4, 32, 0.01);
    this.memory = memory;
    format = new V1Format(memory);
    filters = new FilterCache(format.memory(), 1, tasks::add, tasks::add, halts::add);
    cache = new BlockCache(cacheBytes, pool, tasks::add, tasks::add, halts::add);
    reads =
        new ShardReads(
            cache,
            filters,
            snapshots,
            new io.helenus.storage.env.Clock() {
              @Override
              public long wallMicros() {
                return 0;
              }

              @Override
              public long nanos() {
                nanos += 300_000;
                return nanos;
              }
            },
            segments,
            clockEvery);
    active = new Memtable(TABLE, pool, snapshots);
    sources = new TableSources(table, List.of(active), List.of());
    disk.faults(
        (operation, path) -> {
          if (operation == SimFileSystem.Operation.READ) {
            diskReads.merge(path, 1, Integer::sum);
          }
        });
  }

  /** The number of disk reads per file, in the order in which the files were written. */
  int[] diskReads() {
    return paths.stream().mapToInt(path -> diskReads.getOrDefault(path, 0)).toArray();
  }

  /** Flips a bit of the n-th file written. */
  void damage(int file, long position) {
    disk.flip(paths.get(file), position, 4);
  }

  static ReadFixture standard() {
    return new ReadFixture(1 << 20, columns(), 64);
  }

  static List<TableDescriptor.Column> columns() {
    return columns(TableDescriptor.Kind.MULTI_CELL);
  }

  /** The same columns without any that has elements. */
  static List<TableDescriptor.Column> simpleColumns() {
    return columns(TableDescriptor.Kind.SIMPLE);
  }

  private static List<TableDescriptor.Column> columns(TableDescriptor.Kind kind) {
    List<TableDescriptor.Column> columns = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      columns.add(
          new TableDescriptor.Column(
              i,
              i == RowModel.MULTI_CELL ? kind : TableDescriptor.Kind.SIMPLE,
              RowFormat.NO_TIMESTAMP));
    }
    return columns;
  }

  void apply(ByteWriter mutation) {
    MutationView view = new MutationView().wrap(mutation.segment(), 0, mutation.size());
    long sequence = snapshots.next();
    while (view.nextTable()) {
      active.apply(view, sequence);
    }
  }

  void runTasks() {
    Runnable task = tasks.poll();
    while (task != null) {
      task.run();
      task = tasks.poll();
    }
  }

  private void changed() {
    List<Memtable> memtables = new ArrayList<>();
    memtables.add(active);
    for (int i = frozen.size() - 1; i >= 0; i--) {
      memtables.add(frozen.get(i));
    }
    TableSources old = sources;
    sources = new TableSources(table, memtables, files);
    old.release();
  }

  /** Changes the columns of the table. */
  void replaceColumns(List<TableDescriptor.Column> columns) {
    table = new TableDescriptor(TABLE, columns, 100, TableDescriptor.Compression.LZ4, 4, 32, 0.01);
    changed();
  }

  /** Freezes the active memtable. */
  void freeze() {
    if (!active.isEmpty()) {
      active.freeze();
      frozen.add(active);
      active = new Memtable(TABLE, pool, snapshots);
      changed();
    }
  }

  /** Flushes the oldest frozen memtable. */
  void flush() throws IOException {
    if (frozen.isEmpty()) {
      freeze();
    }
    if (frozen.isEmpty()) {
      return;
    }
    Memtable oldest = frozen.remove(0);
    try (EntryMerge merge =
        new EntryMerge(oldest.cursors(), table, PurgeRules.KEEP_ALL, segments)) {
      Sstable file = write(merge, oldest.entryCount());
      if (file != null) {
        files.add(file);
      }
    }
    changed();
    oldest.release();
  }

  /** Merges files [from, to) into one. */
  void compact(int from, int to, PurgeRules rules) throws IOException {
    List<Sstable> inputs = new ArrayList<>(files.subList(from, to));
    List<EntryCursor> cursors = new ArrayList<>();
    long entries = 0;
    for (Sstable input : inputs) {
      cursors.add(input.cursor(new DirectBlocks()));
      entries += input.statistics().entries();
    }
    try (EntryMerge merge = new EntryMerge(cursors, table, rules, segments)) {
      Sstable file = write(merge, entries);
      files.subList(from, to).clear();
      if (file != null) {
        files.add(from, file);
      }
    }
    changed();
    for (Sstable input : inputs) {
      filters.forget(input);
      input.whenUnused(() -> cache.forget(input));
      input.release();
    }
  }

  private @org.jspecify.annotations.Nullable Sstable write(EntryMerge merge, long entries)
      throws IOException {
    FileSystem.File file = disk.create("file-" + names++);
    SstableWriter writer =
        format.create(
            file,
            new SstableWriter.Options(
                TABLE,
                new int[] {1, 2, 3},
                table.compression(),
                0.01,
                entries,
                new byte[] {1, 2},
                io.helenus.storage.engine.PartitionLimits.NONE));
    boolean any = false;
    while (merge.next()) {
      writer.add(merge);
      any = true;
    }
    if (!any) {
      return null;
    }
    writer.finish();
    paths.add(file.path());
    return format.open(file);
  }

  /** Reads to the end. */
  RowCollector readAll(ReadRequest request) {
    return readAll(request, false);
  }

  /** Reads to the end, possibly with elements apart from their rows. */
  RowCollector readAll(ReadRequest request, boolean receivesElements) {
    RowCollector collector = new RowCollector(request);
    collector.receivesElements = receivesElements;
    try (ReadCursor cursor = reads.open(sources, request)) {
      drain(cursor, collector);
    }
    return collector;
  }

  /** Reads to the end, or to where the sink or a limit stops it; returns why it ended. */
  ReadCursor.Status read(ReadRequest request, RowSink sink) {
    try (ReadCursor cursor = reads.open(sources, request)) {
      return end(cursor, sink);
    }
  }

  /** Drives an open cursor to its end. */
  void drain(ReadCursor cursor, RowCollector collector) {
    ReadCursor.Status ignored = end(cursor, collector);
  }

  private ReadCursor.Status end(ReadCursor cursor, RowSink sink) {
    while (true) {
      ReadCursor.Status status = cursor.advance(sink);
      switch (status) {
        case DONE, STOPPED -> {
          return status;
        }
        case WAITING -> {
          boolean[] ready = new boolean[1];
          cursor.whenReady(() -> ready[0] = true);
          runTasks();
          if (!ready[0]) {
            throw new AssertionError("a waiting cursor was not called back");
          }
        }
        case YIELD -> {
          // other tasks would run here
        }
      }
    }
  }
}
