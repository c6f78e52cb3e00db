package io.helenus.server.node;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The real storage, except that writes to some tables are rejected, delayed or lost. */
public final class FaultyStorage implements Storage {
  /** The faults to inject into writes; shared by all runs of a node. */
  public static final class Faults {
    /** The table whose writes are rejected as overloaded; 0 for none. */
    public int refusedTable;

    /** The table whose writes wait in {@link #held}; 0 for none. */
    public int heldTable;

    /** The table whose part of each write is lost, while the write is acknowledged; 0 for none. */
    public int lostTable;

    /** Why snapshots fail; null if they do not. */
    public String snapshotFailure;

    /** The delayed writes, in order of arrival. */
    public final List<HeldWrite> held = new ArrayList<>();

    /** The number of mutations sent to the engines for tables other than the batch log. */
    public int applied;
  }

  /** A delayed write that has not reached its shard's engine. */
  public record HeldWrite(int shard, Runnable apply) {}

  private final Storage storage;
  private final Faults faults;
  private final List<StorageEngine> engines = new ArrayList<>();

  /** Wraps the real storage. */
  public FaultyStorage(Storage storage, Faults faults) {
    this.storage = storage;
    this.faults = faults;
    storage.engines().forEach(engine -> engines.add(new Engine(engines.size(), engine, faults)));
  }

  private static final class Engine extends ForwardingEngine {
    private final int shard;
    private final StorageEngine engine;
    private final Faults faults;

    Engine(int shard, StorageEngine engine, Faults faults) {
      super(engine);
      this.shard = shard;
      this.engine = engine;
      this.faults = faults;
    }

    @Override
    public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
      if (names(mutation, offset, length, faults.refusedTable)) {
        listener.onRefused(
            new WriteRefusedException(WriteRefusedException.Reason.OVERLOADED, "try again later"));
      } else if (names(mutation, offset, length, faults.heldTable)) {
        MemorySegment copy = new ByteWriter(length).putBytes(mutation, offset, length).segment();
        faults.held.add(new HeldWrite(shard, () -> engine.apply(copy, 0, length, listener)));
      } else if (names(mutation, offset, length, faults.lostTable)) {
        applyRest(new MutationView().wrap(mutation, offset, length), listener);
      } else {
        if (!names(mutation, offset, length, BatchLog.TABLE_ID)) {
          faults.applied++;
        }
        engine.apply(mutation, offset, length, listener);
      }
    }

    private void applyRest(MutationView all, WriteListener listener) {
      ByteWriter rest = new ByteWriter(256);
      while (all.nextTable()) {
        if (all.tableId() != faults.lostTable) {
          all.copyTable(rest);
        }
      }
      if (rest.size() == 0) {
        listener.onDurable();
      } else {
        engine.apply(rest.segment(), 0, rest.size(), listener);
      }
    }

    private static boolean names(MemorySegment mutation, long offset, int length, int tableId) {
      MutationView view = new MutationView().wrap(mutation, offset, length);
      while (view.nextTable()) {
        if (view.tableId() == tableId) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public List<StorageEngine> engines() {
    return engines;
  }

  @Override
  public void snapshot(
      int tableId, String folder, boolean skipFlush, Consumer<? super Exception> whenDone) {
    if (faults.snapshotFailure == null) {
      storage.snapshot(tableId, folder, skipFlush, whenDone);
    } else {
      whenDone.accept(new StorageException(faults.snapshotFailure));
    }
  }

  @Override
  public void load(int tableId, FilesToLoad files, Consumer<? super Exception> whenDone) {
    storage.load(tableId, files, whenDone);
  }

  @Override
  public void findFiles(
      int tableId, byte[] prefix, Consumer<String> paths, Consumer<? super Exception> whenDone) {
    storage.findFiles(tableId, prefix, paths, whenDone);
  }

  @Override
  public void tablesChanged(Tables tables, Consumer<? super Exception> whenDone) {
    storage.tablesChanged(tables, whenDone);
  }

  @Override
  public void truncate(
      List<Integer> tableIds, boolean recordIfEmpty, Consumer<? super Exception> whenDone) {
    storage.truncate(tableIds, recordIfEmpty, whenDone);
  }

  @Override
  public void truncate(List<Integer> tableIds, long epoch, Consumer<? super Exception> whenDone) {
    storage.truncate(tableIds, epoch, whenDone);
  }

  @Override
  public long truncationEpoch(int tableId) {
    return storage.truncationEpoch(tableId);
  }

  @Override
  public List<IndexFile> indexFiles(int tableId) {
    return storage.indexFiles(tableId);
  }

  @Override
  public VectorSearchCounts vectorSearches(int tableId) {
    return storage.vectorSearches(tableId);
  }

  @Override
  public boolean isIndexBuilt(int tableId, int indexId) {
    return storage.isIndexBuilt(tableId, indexId);
  }

  @Override
  public void whenIndexBuilt(int tableId, int indexId, Consumer<? super Exception> whenDone) {
    storage.whenIndexBuilt(tableId, indexId, whenDone);
  }

  @Override
  public void rebuildIndex(int tableId, int indexId, Consumer<? super Exception> whenDone) {
    storage.rebuildIndex(tableId, indexId, whenDone);
  }

  @Override
  public long truncatedAtMicros(int tableId) {
    return storage.truncatedAtMicros(tableId);
  }

  @Override
  public void flush(int tableId, Consumer<? super Exception> whenDone) {
    storage.flush(tableId, whenDone);
  }

  @Override
  public void flushBeforeStop(Consumer<? super Exception> whenDone) {
    storage.flushBeforeStop(whenDone);
  }

  @Override
  public void compact(int tableId, Consumer<? super Exception> whenDone) {
    storage.compact(tableId, whenDone);
  }

  @Override
  public void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone) {
    storage.verify(tableId, problems, whenDone);
  }

  @Override
  public PartitionNotes partitionNotes(int tableId) {
    return storage.partitionNotes(tableId);
  }

  @Override
  public TableStatistics statistics(int tableId) {
    return storage.statistics(tableId);
  }

  @Override
  public long oldLogBytes() {
    return storage.oldLogBytes();
  }

  @Override
  public StorageActivity activity() {
    return storage.activity();
  }

  @Override
  public void close() {
    storage.close();
  }
}
