package io.helenus.storage.local;

import io.helenus.storage.compaction.GraceRule;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.Activity;
import io.helenus.storage.job.FileRegistry;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.JobMemory;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.RunningJobs;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.LogOptions;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.sstable.v1.V1Format;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * The storage of one node. Opened on one thread before the shards run; then used as {@link Storage}
 * specifies. Opening it:
 *
 * <ol>
 *   <li>Read the manifest, forget dropped tables, delete orphaned files.
 *   <li>Open the live files for the shards whose rows they hold.
 *   <li>Replay the commit logs of earlier starts.
 *   <li>On the shards' threads: create new logs, flush the large ones of the replayed memtables,
 *       split files that several shards share, compact.
 * </ol>
 */
public final class LocalStorage implements Storage {
  private final StorageContext context;
  private final List<ShardEngine> shards = new ArrayList<>();
  private final Map<Integer, TableLifecycle> lifecycles = new ConcurrentHashMap<>();
  private final Map<Integer, List<TableStore>> storesByTable = new ConcurrentHashMap<>();
  private final StorageCommands commands;
  private final Recovery recovery;

  /**
   * Opens the storage in a data folder, whose lock the caller holds, with the tables of the
   * metadata log. Raises {@link IOException} or {@link StorageException} with a message for the
   * operator.
   */
  public static LocalStorage open(
      StorageEnvironment environment, StorageOptions options, Tables tables) throws IOException {
    return open(environment, options, tables, GraceRule.GRACE_PERIOD);
  }

  /** The same with a different rule for how old a deletion must be to be purged. */
  public static LocalStorage open(
      StorageEnvironment environment, StorageOptions options, Tables tables, GraceRule graceRule)
      throws IOException {
    if (environment.shards().size() != options.shards()) {
      throw new IllegalArgumentException("the number of schedulers must be the number of shards");
    }
    return new LocalStorage(environment, options, tables, graceRule);
  }

  private LocalStorage(
      StorageEnvironment environment, StorageOptions options, Tables tables, GraceRule graceRule)
      throws IOException {
    FileSystem files = environment.files();
    Manifest manifest = Manifest.open(files, environment.fatal());
    NodeMemory memory = environment.memory();
    V1Format format = new V1Format(memory);
    context =
        new StorageContext(
            environment,
            options,
            graceRule,
            new CounterShareClaim(environment.randomness(), options.syncMode()),
            format.memory(),
            new JobContext(
                files,
                environment.clock(),
                environment.io(),
                environment.background(),
                environment.fatal(),
                manifest,
                format,
                new ShardMap(options.shards()),
                new FileRegistry(files),
                new RunningJobs(),
                new Activity(),
                options.graphLimits(),
                new Semaphore(options.graphLimits().atOnce()),
                options.partitionLimits(),
                memory,
                new JobMemory(memory.share(Use.COMPACTION).limitBytes())));
    files.createFolders(LogFiles.FOLDER);
    forgetDropped(tables);
    manifest.deleteOrphans(indexFiles(manifest, tables));
    List<LogFiles.OldLog> logs = LogFiles.find(files);
    LogFiles.deleteFree(files);
    long startNumber = startNumber(logs);
    OldLogs oldLogs = new OldLogs(context, logs, LogFiles.logId(startNumber, 0));
    makeShards(logs.isEmpty() ? startNumber : startNumber + 1);
    for (TableDescriptor table : tables.live()) {
      addTable(table);
    }
    List<LiveFile> shared = openFiles();
    recovery = new Recovery(context, tables, shards, oldLogs);
    commands = new StorageCommands(context, shards, recovery);
    recovery.replay();
    if (recovery.hasSkipped()) {
      CounterShareClaim.recordsLost(manifest);
    }
    begin(shared);
  }

  /** The paths at which the files of all indexes belong. */
  private static Set<String> indexFiles(Manifest manifest, Tables tables) {
    Map<Integer, List<IndexDescriptor>> indexes = new HashMap<>();
    for (TableDescriptor table : tables.live()) {
      if (!table.indexes().isEmpty()) {
        indexes.put(table.id(), table.indexes());
      }
    }
    if (indexes.isEmpty()) {
      return Set.of();
    }
    Set<String> paths = new HashSet<>();
    for (LiveFile file : manifest.liveFiles()) {
      for (IndexDescriptor index : indexes.getOrDefault(file.tableId(), List.of())) {
        paths.add(file.indexPath(index.id()));
      }
    }
    return paths;
  }

  private void forgetDropped(Tables tables) throws IOException {
    Set<Integer> live = new HashSet<>();
    tables.live().forEach(table -> live.add(table.id()));
    Set<Integer> gone = new HashSet<>();
    for (int tableId : context.manifest().tableIds()) {
      if (live.contains(tableId)) {
        continue;
      }
      if (tableId > tables.lastTableId()) {
        throw new StorageException(
            "there are SSTables of table "
                + tableId
                + ", which is not in the metadata log; the metadata log of this data folder is"
                + " missing or older than its data");
      }
      gone.add(tableId);
    }
    List<LiveFile> removed = context.manifest().forgetTables(gone);
    removed.forEach(context.jobs().registry()::obsolete);
  }

  private long startNumber(List<LogFiles.OldLog> logs) {
    long greatest = context.manifest().greatestLogId();
    for (LogFiles.OldLog log : logs) {
      greatest = Math.max(greatest, log.logId());
    }
    return Math.floorDiv(greatest, LogFiles.SHARDS_LIMIT) + 1;
  }

  private void makeShards(long startNumber) {
    StorageOptions options = context.options();
    for (int shard = 0; shard < options.shards(); shard++) {
      LogOptions logOptions =
          new LogOptions(
              LogFiles.logId(startNumber, shard),
              options.syncMode(),
              options.syncPeriodNanos(),
              options.segmentBytes(),
              context.files().bootId());
      shards.add(new ShardEngine(context, shard, logOptions));
    }
  }

  private void addTable(TableDescriptor table) {
    TableLifecycle lifecycle = new TableLifecycle();
    lifecycles.put(table.id(), lifecycle);
    List<TableStore> stores = new ArrayList<>();
    for (ShardEngine shard : shards) {
      stores.add(shard.addTable(table, lifecycle));
    }
    storesByTable.put(table.id(), stores);
  }

  /** Opens the live files; returns the ones with rows of several shards. */
  private List<LiveFile> openFiles() throws IOException {
    List<LiveFile> shared = new ArrayList<>();
    Set<TableStore> changed = new HashSet<>();
    for (LiveFile file : context.manifest().liveFiles()) {
      List<TableStore> stores = storesByTable.getOrDefault(file.tableId(), List.of());
      int first = context.shardMap().shardOf(file.firstToken());
      int last = context.shardMap().shardOf(file.lastToken());
      if (first < last) {
        shared.add(file);
      }
      for (int shard = first; shard <= last; shard++) {
        TableStore store = stores.get(shard);
        store.addFile(OpenFile.open(context.jobs(), store.table(), file, first < last));
        changed.add(stores.get(shard));
      }
    }
    changed.forEach(TableStore::filesAdded);
    return shared;
  }

  private void begin(List<LiveFile> shared) {
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            shard.log().warmUp();
            for (TableStore store : shard.stores().all()) {
              store.compactions().consider();
              store.indexes().consider();
            }
          });
    }
    recovery.begin();
    commands.split(shared, lifecycles, storesByTable);
    commands.forgetLostLogs();
  }

  @Override
  public List<StorageEngine> engines() {
    return List.copyOf(shards);
  }

  @Override
  public void tablesChanged(Tables tables, Consumer<? super Exception> whenDone) {
    Map<Integer, TableDescriptor> live = new HashMap<>();
    Map<Integer, TableLifecycle> newLives = new HashMap<>();
    Set<Integer> dropped = new HashSet<>(lifecycles.keySet());
    for (TableDescriptor table : tables.live()) {
      live.put(table.id(), table);
      dropped.remove(table.id());
      newLives.put(table.id(), lifecycles.computeIfAbsent(table.id(), id -> new TableLifecycle()));
    }
    for (int tableId : dropped) {
      TableLifecycle lifecycle = lifecycles.remove(tableId);
      storesByTable.remove(tableId);
      if (lifecycle != null) {
        lifecycle.drop();
      }
    }
    Countdown countdown = new Countdown(shards.size(), commands.onFirstShard(whenDone));
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            commands.takeTables(shard, live, newLives, dropped, storesByTable);
            countdown.accept(null);
          });
    }
    commands.forgetTables(dropped);
  }

  @Override
  public void truncate(
      List<Integer> tableIds, boolean recordIfEmpty, Consumer<? super Exception> whenDone) {
    truncate(tableIds, recordIfEmpty, 0, whenDone);
  }

  @Override
  public void truncate(List<Integer> tableIds, long epoch, Consumer<? super Exception> whenDone) {
    truncate(tableIds, true, epoch, whenDone);
  }

  private void truncate(
      List<Integer> tableIds,
      boolean recordIfEmpty,
      long epoch,
      Consumer<? super Exception> whenDone) {
    SortedMap<Integer, TableLifecycle> truncated = new TreeMap<>();
    for (int tableId : tableIds) {
      TableLifecycle lifecycle = lifecycles.get(tableId);
      if (lifecycle == null) {
        commands.onFirstShard(whenDone).accept(new StorageException("no table with id " + tableId));
        return;
      }
      truncated.put(tableId, lifecycle);
    }
    new TruncateCommand(
            context, shards, truncated, recovery, epoch, commands.onFirstShard(whenDone))
        .start(recordIfEmpty);
  }

  @Override
  public void flush(int tableId, Consumer<? super Exception> whenDone) {
    commands.onEachStore(tableId, TableStore::flush, whenDone);
  }

  @Override
  public void flushBeforeStop(Consumer<? super Exception> whenDone) {
    commands.flushBeforeStop(whenDone);
  }

  @Override
  public void compact(int tableId, Consumer<? super Exception> whenDone) {
    commands.onEachStore(
        tableId, (store, done) -> store.compactions().compactWhole(done), whenDone);
  }

  @Override
  public void snapshot(
      int tableId, String folder, boolean skipFlush, Consumer<? super Exception> whenDone) {
    new SnapshotCommand(context, shards, tableId, folder, commands.onFirstShard(whenDone))
        .start(skipFlush);
  }

  @Override
  public void load(int tableId, FilesToLoad files, Consumer<? super Exception> whenDone) {
    TableLifecycle lifecycle = lifecycles.get(tableId);
    if (lifecycle == null) {
      commands.onFirstShard(whenDone).accept(new StorageException("no table with id " + tableId));
      return;
    }
    commands.load(tableId, lifecycle, files, whenDone);
  }

  @Override
  public void findFiles(
      int tableId, byte[] prefix, Consumer<String> paths, Consumer<? super Exception> whenDone) {
    new FindFilesCommand(context, shards, tableId, prefix, paths, commands.onFirstShard(whenDone))
        .start();
  }

  @Override
  public void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone) {
    commands.verify(tableId, problems, whenDone);
  }

  @Override
  public TableStatistics statistics(int tableId) {
    long truncatedAt = context.manifest().truncatedAtMicros(tableId);
    TableStatistics whole = new TableStatistics(0, 0, 0, 0, 0, 0, 0, truncatedAt);
    for (TableStore store : storesByTable.getOrDefault(tableId, List.of())) {
      whole = whole.plus(store.statistics());
    }
    return whole;
  }

  @Override
  public PartitionNotes partitionNotes(int tableId) {
    // a file that several shards share is in the list of each of them
    Map<Long, PartitionNotes> byFile = new HashMap<>();
    for (TableStore store : storesByTable.getOrDefault(tableId, List.of())) {
      store.fileStatistics().addNotes(byFile);
    }
    return PartitionNotes.sum(byFile.values());
  }

  @Override
  public boolean isIndexBuilt(int tableId, int indexId) {
    List<TableStore> stores = storesByTable.getOrDefault(tableId, List.of());
    for (TableStore store : stores) {
      if (!store.indexes().isBuilt(indexId)) {
        return false;
      }
    }
    return !stores.isEmpty();
  }

  @Override
  public void whenIndexBuilt(int tableId, int indexId, Consumer<? super Exception> whenDone) {
    commands.onEachStore(
        tableId, (store, done) -> store.indexes().whenBuilt(indexId, done), whenDone);
  }

  @Override
  public List<IndexFile> indexFiles(int tableId) {
    List<IndexFile> all = new ArrayList<>();
    for (TableStore store : storesByTable.getOrDefault(tableId, List.of())) {
      all.addAll(store.indexes().described());
    }
    return all;
  }

  @Override
  public VectorSearchCounts vectorSearches(int tableId) {
    VectorSearchCounts all = VectorSearchCounts.NONE;
    for (TableStore store : storesByTable.getOrDefault(tableId, List.of())) {
      all = all.plus(store.indexes().vectorSearches());
    }
    return all;
  }

  @Override
  public void rebuildIndex(int tableId, int indexId, Consumer<? super Exception> whenDone) {
    commands.onEachStore(
        tableId, (store, done) -> store.indexes().rebuild(indexId, done), whenDone);
  }

  @Override
  public long truncatedAtMicros(int tableId) {
    return context.manifest().truncatedAtMicros(tableId);
  }

  @Override
  public long truncationEpoch(int tableId) {
    return context.manifest().truncationEpoch(tableId);
  }

  @Override
  public long oldLogBytes() {
    return recovery.logBytes();
  }

  @Override
  public StorageActivity activity() {
    return context.jobs().activity().describe();
  }

  @Override
  public void close() {
    context.jobs().running().stop();
    try {
      boolean allFlushed = true;
      for (ShardEngine shard : shards) {
        boolean flushed = shard.stores().isAllFlushed();
        shard.log().close(flushed);
        allFlushed &= flushed;
      }
      if (allFlushed) {
        recovery.deleteKept();
      }
      if (shards.stream().noneMatch(shard -> shard.log().isFailed())) {
        context.counterShare().stopped(context.manifest());
      }
      context.manifest().close();
    } catch (IOException e) {
      throw new StorageException("cannot close storage: " + e.getMessage(), e);
    }
    for (ShardEngine shard : shards) {
      shard.stores().all().forEach(TableStore::close);
    }
  }
}
