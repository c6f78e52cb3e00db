package io.helenus.bench;

import io.helenus.storage.cache.BlockCache;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import io.helenus.storage.sstable.v1.V1Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * The storage of one table without an engine: memtables, files in memory, and a block cache that
 * has room for all of them and loads at once. One thread.
 */
final class TableInMemory {
  private final TableDescriptor table;
  private final int[] columns;
  private final Snapshots snapshots = new Snapshots();
  private final SlabPool pool = new SlabPool(Arena.ofShared());
  private final V1Format format = new V1Format();
  private final LargeSegments segments = new LargeSegments();
  private final ShardReads reads;

  TableInMemory(TableDescriptor table) {
    this.table = table;
    columns = table.columns().stream().mapToInt(TableDescriptor.Column::id).toArray();
    FatalErrors fatal =
        failure -> {
          throw new IllegalStateException(failure);
        };
    BlockCache cache = new BlockCache(1L << 30, pool, Runnable::run, Runnable::run, fatal);
    FilterCache filters = new FilterCache(format.memory(), 1, Runnable::run, Runnable::run, fatal);
    reads = new ShardReads(cache, filters, snapshots, new FixedClock(), segments);
  }

  private static final class FixedClock implements Clock {
    @Override
    public long wallMicros() {
      return 0;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }

  Snapshots snapshots() {
    return snapshots;
  }

  Memtable newMemtable() {
    return new Memtable(table.id(), pool, snapshots);
  }

  /** Writes a memtable to a file and releases it. */
  Sstable write(Memtable memtable) {
    memtable.freeze();
    InMemoryFile file = new InMemoryFile();
    SstableWriter writer =
        format.create(
            file,
            new SstableWriter.Options(
                table.id(),
                columns,
                table.compression(),
                0.01,
                memtable.entryCount(),
                new byte[0],
                PartitionLimits.NONE));
    try (EntryMerge merge =
        new EntryMerge(memtable.cursors(), table, PurgeRules.KEEP_ALL, segments)) {
      while (merge.next()) {
        writer.add(merge);
      }
      writer.finish();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    memtable.release();
    return format.open(file);
  }

  TableSources sources(List<Memtable> memtables, List<Sstable> files) {
    return new TableSources(table, memtables, files);
  }

  void read(TableSources sources, ReadRequest request, RowSink sink) {
    try (ReadCursor cursor = reads.open(sources, request)) {
      while (cursor.advance(sink) != ReadCursor.Status.DONE) {
        // everything loads at once here
      }
    }
  }
}
