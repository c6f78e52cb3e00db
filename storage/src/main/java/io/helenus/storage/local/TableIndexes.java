package io.helenus.storage.local;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.job.IndexBuildJob;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.OpenIndex;
import io.helenus.storage.lookup.TermSources;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.memtable.VectorList;
import io.helenus.storage.nearest.VectorSources;
import io.helenus.storage.nearest.VectorTally;
import io.helenus.storage.read.IndexSources;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import io.helenus.storage.vector.VectorFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of one table of one shard: which of them cover all its data, and the builds for files
 * that lack one, one file after the other. Shard thread only, except {@link #isBuilt}, {@link
 * #described} and {@link #vectorSearches}.
 */
final class TableIndexes {
  private static final Logger LOGGER = LoggerFactory.getLogger(TableIndexes.class);

  /** The delay before a retry, long because a failed attempt may have read a whole file. */
  private static final long RETRY_NANOS = 60_000_000_000L;

  private final ShardEngine shard;
  private final TableStore store;
  private volatile Set<Integer> built = Set.of();
  private volatile List<IndexFile> described = List.of();
  private final VectorTally vectorTally = new VectorTally();
  private boolean building;
  private boolean retryPending;
  private List<Waiter> waiters = new ArrayList<>();

  /** Waits until an index is built. */
  private record Waiter(int indexId, Consumer<? super Exception> whenBuilt) {}

  TableIndexes(ShardEngine shard, TableStore store) {
    this.shard = shard;
    this.store = store;
  }

  /** Whether an index covers all data of the table in this shard. Any thread. */
  boolean isBuilt(int indexId) {
    return built.contains(indexId);
  }

  /** The files of the indexes, as far as they are built. Any thread. */
  List<IndexFile> described() {
    return described;
  }

  /** The searches of vectors so far. Any thread. */
  VectorSearchCounts vectorSearches() {
    return vectorTally.counts();
  }

  private void searched(VectorSearchCounts search) {
    vectorTally.add(search);
    if (!store.lifecycle().isDropped()) {
      store.flushCostlyVectors();
    }
  }

  private static List<IndexFile> describe(List<OpenFile> files) {
    List<IndexFile> all = new ArrayList<>();
    for (OpenFile file : files) {
      SstableStatistics rows = file.sstable().statistics();
      for (OpenIndex index : file.indexes()) {
        all.add(
            new IndexFile(
                index.indexId(),
                file.live().path(),
                index.size(),
                index.sizeBytes(),
                rows.smallestToken(),
                rows.largestToken()));
      }
    }
    return List.copyOf(all);
  }

  /** The indexes that cover these memtables and files; from now on they count as built. */
  List<IndexSources> sources(
      TableDescriptor table, List<Memtable> memtables, List<OpenFile> files) {
    if (table.indexes().isEmpty()) {
      built = Set.of();
      described = List.of();
      return List.of();
    }
    described = describe(files);
    List<IndexSources> whole = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    for (IndexDescriptor index : table.indexes()) {
      IndexSources sources =
          index.source() == IndexDescriptor.Source.VECTORS
              ? vectors(index, memtables, files)
              : sources(index.id(), memtables, files);
      if (sources != null) {
        whole.add(sources);
        ids.add(index.id());
      }
    }
    built = Set.copyOf(ids);
    return whole;
  }

  private @Nullable VectorSources vectors(
      IndexDescriptor index, List<Memtable> memtables, List<OpenFile> files) {
    List<VectorList> lists = new ArrayList<>();
    for (Memtable memtable : memtables) {
      VectorList list = memtable.vectors(index.id());
      if (list != null) {
        lists.add(list);
      } else if (!memtable.isEmpty()) {
        return null;
      }
    }
    List<VectorFile> vectors = new ArrayList<>();
    List<Sstable> rows = new ArrayList<>();
    for (OpenFile file : files) {
      OpenIndex open = file.index(index.id());
      VectorFile ofFile = open == null ? null : open.vectors();
      if (ofFile == null) {
        return null;
      }
      vectors.add(ofFile);
      rows.add(file.sstable());
    }
    return new VectorSources(
        index, lists, vectors, rows, this::searched, () -> damaged(index.id()));
  }

  private @Nullable TermSources sources(
      int indexId, List<Memtable> memtables, List<OpenFile> files) {
    List<TermTree> trees = new ArrayList<>();
    for (Memtable memtable : memtables) {
      TermTree tree = memtable.index(indexId);
      if (tree != null) {
        trees.add(tree);
      } else if (!memtable.isEmpty()) {
        return null;
      }
    }
    List<Sstable> entries = new ArrayList<>();
    for (OpenFile file : files) {
      OpenIndex index = file.index(indexId);
      Sstable ofFile = index == null ? null : index.entries();
      if (ofFile == null) {
        return null;
      }
      entries.add(ofFile);
    }
    return new TermSources(indexId, trees, entries, () -> damaged(indexId));
  }

  /** Builds an index again from all files. */
  void rebuild(int indexId, Consumer<? super Exception> whenBuilt) {
    waiters.add(new Waiter(indexId, whenBuilt));
    removeFiles(indexId);
    store.indexesChanged();
    settle(null);
  }

  /** Calls back when an index is built, or with the reason why it is not. */
  void whenBuilt(int indexId, Consumer<? super Exception> whenDone) {
    if (isBuilt(indexId)) {
      whenDone.accept(null);
    } else if (store.table().index(indexId) == null) {
      whenDone.accept(new StorageException("the index was dropped"));
    } else {
      waiters.add(new Waiter(indexId, whenDone));
    }
  }

  /** Calls back the callers that wait for indexes which are built, or all if that has failed. */
  private void settle(@Nullable Exception failure) {
    List<Waiter> notified = waiters;
    waiters = new ArrayList<>();
    for (Waiter waiter : notified) {
      if (failure != null || isBuilt(waiter.indexId)) {
        waiter.whenBuilt.accept(failure);
      } else {
        waiters.add(waiter);
      }
    }
  }

  /** The table was dropped. */
  void dropped() {
    settle(new StorageException("table " + store.tableId() + " was dropped"));
  }

  /** Deletes the files of indexes that the table does not have any more. */
  void removeDropped(TableDescriptor table) {
    for (Waiter waiter : List.copyOf(waiters)) {
      if (table.index(waiter.indexId) == null) {
        waiters.remove(waiter);
        waiter.whenBuilt.accept(new StorageException("the index was dropped"));
      }
    }
    for (OpenFile file : store.files()) {
      for (OpenIndex index : file.indexes()) {
        if (table.index(index.indexId()) == null) {
          shard.forget(file, index);
        }
      }
    }
  }

  /** Deletes the files of an index of which one is damaged, to build them again. */
  private void damaged(int indexId) {
    LOGGER.warn(
        "Index {} of table {} is damaged in shard {}; it is built again",
        indexId,
        store.tableId(),
        shard.shard());
    removeFiles(indexId);
    store.indexesChanged();
  }

  private void removeFiles(int indexId) {
    for (OpenFile file : store.files()) {
      OpenIndex index = file.index(indexId);
      if (index != null) {
        shard.forget(file, index);
      }
    }
  }

  /** Starts to build what a file lacks, unless a build is running or there is nothing to do. */
  void consider() {
    if (!waiters.isEmpty()) {
      settle(null); // a flush may have written what an index lacked
    }
    if (building || retryPending || store.table().indexes().isEmpty()) {
      return;
    }
    if (!build((file, index) -> index == null)) {
      boolean unused = build(this::lacksGraphs);
    }
  }

  /** Whether an index lacks graphs, unless its file is being merged and will soon be gone. */
  private boolean lacksGraphs(OpenFile file, @Nullable OpenIndex index) {
    return index != null
        && index.lacksGraphs(shard.context().jobs().graphLimits())
        && !store.compactions().isMerging(file);
  }

  /** Builds the indexes of the first file of which one or more are such; false if there is none. */
  private boolean build(BiPredicate<OpenFile, @Nullable OpenIndex> isWanted) {
    for (OpenFile file : store.files()) {
      List<IndexDescriptor> wanted = new ArrayList<>();
      for (IndexDescriptor index : store.table().indexes()) {
        if (isWanted.test(file, file.index(index.id()))) {
          wanted.add(index);
        }
      }
      // a shared file is about to be split
      if (!wanted.isEmpty() && !file.isShared()) {
        build(file, wanted);
        return true;
      }
    }
    return false;
  }

  private void build(OpenFile file, List<IndexDescriptor> wanted) {
    building = true;
    file.sstable().retain();
    Map<Integer, OpenIndex> replaced = new HashMap<>();
    for (IndexDescriptor index : wanted) {
      OpenIndex existing = file.index(index.id());
      if (existing != null) {
        replaced.put(index.id(), existing);
      }
    }
    // graphs of a file that is being merged would be of use for a short while only
    boolean lackGraphs = replaced.size() == wanted.size();
    new IndexBuildJob(
            shard.context().jobs(),
            store.table(),
            store.lifecycle(),
            file,
            wanted,
            () -> lackGraphs && store.compactions().isMerging(file),
            (made, failure) -> shard.execute(() -> ended(file, replaced, made, failure)))
        .start();
  }

  private void ended(
      OpenFile file,
      Map<Integer, OpenIndex> replaced,
      List<OpenIndex> made,
      @Nullable Exception failure) {
    building = false;
    for (OpenIndex index : made) {
      // if the one that it replaces has been removed as damaged, its deletion is still to come
      int id = index.indexId();
      boolean mayStay = Objects.equals(file.index(id), replaced.get(id));
      file.add(index);
      boolean wanted =
          mayStay
              && store.files().contains(file)
              && store.table().index(id) != null
              && !store.lifecycle().isDropped();
      if (!wanted) {
        shard.forget(file, index);
      }
    }
    file.sstable().release();
    if (store.lifecycle().isDropped()) {
      return;
    }
    if (failure != null) {
      LOGGER.warn(
          "Cannot build an index of table {}, will retry in {} s: {}",
          store.tableId(),
          RETRY_NANOS / 1_000_000_000L,
          failure.getMessage(),
          failure);
      retryPending = true;
      shard.schedule(this::retry, RETRY_NANOS);
      settle(failure);
      return;
    }
    store.indexesChanged();
    settle(null);
  }

  private void retry() {
    retryPending = false;
    if (!store.lifecycle().isDropped()) {
      consider();
    }
  }
}
