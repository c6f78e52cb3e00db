package io.helenus.storage.local;

import io.helenus.storage.compaction.LoadJob;
import io.helenus.storage.compaction.SplitJob;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.sstable.Sstable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands that involve all shards of a node. Any thread. */
final class StorageCommands {
  private static final Logger LOGGER = LoggerFactory.getLogger(StorageCommands.class);

  /** A segment is replayed in the time in which so many small memtables are flushed. */
  private static final int FLUSHED_PER_SEGMENT = 16;

  private final StorageContext context;
  private final List<ShardEngine> shards;
  private final Recovery recovery;

  StorageCommands(StorageContext context, List<ShardEngine> shards, Recovery recovery) {
    this.context = context;
    this.shards = shards;
    this.recovery = recovery;
  }

  /** Wraps a consumer so that it runs on the first shard's thread. */
  Consumer<Exception> onFirstShard(Consumer<? super Exception> whenDone) {
    return failure -> shards.get(0).execute(() -> whenDone.accept(failure));
  }

  /** Applies an action to the stores of a table (0: all tables) on every shard. */
  void onEachStore(
      int tableId,
      BiConsumer<TableStore, Consumer<? super Exception>> action,
      Consumer<? super Exception> whenDone) {
    Countdown whole = new Countdown(shards.size(), onFirstShard(whenDone));
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            List<TableStore> chosen = new ArrayList<>();
            for (TableStore store : shard.stores().all()) {
              if (tableId == 0 || store.tableId() == tableId) {
                chosen.add(store);
              }
            }
            Countdown here = new Countdown(chosen.size(), whole);
            chosen.forEach(store -> action.accept(store, here));
          });
    }
  }

  /** Flushes all memtables, except small ones that are better left in the log. */
  void flushBeforeStop(Consumer<? super Exception> whenDone) {
    Countdown whole = new Countdown(shards.size(), onFirstShard(whenDone));
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            List<TableStore> chosen = new ArrayList<>(shard.stores().all());
            long small = chosen.stream().filter(TableStore::isSmall).count();
            long segments = shard.log().liveBytes() / context.options().segmentBytes();
            if (small > FLUSHED_PER_SEGMENT * Math.max(1, segments)) {
              chosen.removeIf(TableStore::isSmall);
            }
            Countdown here = new Countdown(chosen.size(), whole);
            chosen.forEach(store -> store.flush(here));
          });
    }
  }

  /** Adds, changes and drops a shard's tables. On the shard's thread. */
  void takeTables(
      ShardEngine shard,
      Map<Integer, TableDescriptor> live,
      Map<Integer, TableLifecycle> lifecycles,
      Set<Integer> dropped,
      Map<Integer, List<TableStore>> storesByTable) {
    for (int tableId : dropped) {
      TableStore store = shard.stores().get(tableId);
      if (store != null) {
        shard.stores().remove(store);
        store.drop();
      }
    }
    for (TableDescriptor table : live.values()) {
      TableStore store = shard.stores().get(table.id());
      TableLifecycle lifecycle = lifecycles.get(table.id());
      if (store != null) {
        if (!store.table().equals(table)) {
          store.tableChanged(table);
        }
      } else if (lifecycle != null && !lifecycle.isDropped()) {
        TableStore added = shard.addTable(table, lifecycle);
        storesByTable.merge(table.id(), List.of(added), StorageCommands::joined);
      }
    }
  }

  private static List<TableStore> joined(List<TableStore> some, List<TableStore> more) {
    List<TableStore> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /** Commits the drop of tables to the manifest and deletes their files. */
  void forgetTables(Set<Integer> tableIds) {
    if (!tableIds.isEmpty()) {
      context
          .jobs()
          .runInBackground(
              () -> {
                try {
                  context
                      .manifest()
                      .forgetTables(tableIds)
                      .forEach(context.jobs().registry()::obsolete);
                } catch (Throwable e) {
                  LOGGER.warn(
                      "Cannot delete the files of dropped tables, will retry at the next start",
                      context.jobs().contain(e));
                }
              });
    }
  }

  /**
   * Removes the positions of logs that no longer exist from the manifest. Their deletion may not be
   * durable yet: the start that deleted them may have been killed before it synced the folder.
   */
  void forgetLostLogs() {
    Set<Long> lost = new HashSet<>(context.manifest().logIds());
    lost.removeAll(recovery.logIds());
    if (!lost.isEmpty()) {
      context
          .jobs()
          .runInBackground(
              () -> {
                try {
                  context.files().syncFolder(LogFiles.FOLDER);
                  context.manifest().forgetLogs(lost);
                } catch (Throwable e) {
                  LOGGER.warn(
                      "Cannot remove deleted commit logs from the manifest, will retry at the next"
                          + " start",
                      context.jobs().contain(e));
                }
              });
    }
  }

  /** Splits files with rows of several shards, one after the other. */
  void split(
      List<LiveFile> shared,
      Map<Integer, TableLifecycle> lifecycles,
      Map<Integer, List<TableStore>> storesByTable) {
    Map<Integer, TableLifecycle> known = new ConcurrentHashMap<>(lifecycles);
    for (LiveFile file : shared) {
      TableLifecycle lifecycle = known.get(file.tableId());
      List<TableStore> stores = storesByTable.get(file.tableId());
      if (lifecycle != null && stores != null) {
        SplitJob job = new SplitJob(context.jobs(), stores.get(0).table(), lifecycle, file);
        context.jobs().runInBackground(() -> split(job, file, stores));
      }
    }
  }

  private void split(SplitJob job, LiveFile file, List<TableStore> stores) {
    try {
      TreeMap<Integer, OpenFile> made = job.run();
      for (ShardEngine shard : shards) {
        TableStore store = stores.get(shard.shard());
        shard.execute(() -> replace(store, file, made.get(shard.shard()), made.isEmpty()));
      }
    } catch (Throwable e) {
      LOGGER.warn(
          "Cannot split {} by shard, will retry at the next start",
          file.path(),
          context.jobs().contain(e));
    }
  }

  private static void replace(
      TableStore store, LiveFile file, @Nullable OpenFile made, boolean voided) {
    OpenFile old = store.file(file.number());
    if (store.lifecycle().isDropped() || voided || old == null) {
      if (made != null) {
        made.sstable().release();
      }
      return;
    }
    store.replaceFiles(List.of(old), made == null ? List.of() : List.of(made));
    store.compactions().consider();
  }

  /** Adds the contents of files to a table. */
  void load(
      int tableId,
      TableLifecycle lifecycle,
      FilesToLoad files,
      Consumer<? super Exception> whenDone) {
    Consumer<Exception> done = onFirstShard(whenDone);
    ShardEngine first = shards.get(0);
    first.execute(
        () -> {
          TableStore store = first.stores().get(tableId);
          if (store == null) {
            done.accept(new StorageException("no table with id " + tableId));
          } else {
            new LoadJob(
                    context.jobs(),
                    store.table(),
                    lifecycle,
                    files,
                    (made, failure) -> {
                      if (failure == null) {
                        takeLoaded(tableId, made, done);
                      } else {
                        done.accept(failure);
                      }
                    })
                .start();
          }
        });
  }

  private void takeLoaded(
      int tableId, Map<Integer, LoadJob.Loaded> made, Consumer<Exception> done) {
    Countdown countdown = new Countdown(made.size(), done);
    made.forEach(
        (shard, loaded) -> {
          ShardEngine owner = shards.get(shard);
          owner.execute(
              () -> {
                TableStore store = owner.stores().get(tableId);
                // a truncation since then has removed the file from the manifest
                if (store != null && loaded.isCurrent()) {
                  store.replaceFiles(List.of(), List.of(loaded.file()));
                  store.compactions().consider();
                } else {
                  loaded.file().sstable().release();
                }
                countdown.accept(null);
              });
        });
  }

  /** Reads all blocks of the files of a table (0: all tables). */
  void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone) {
    Consumer<Exception> done = onFirstShard(whenDone);
    context
        .jobs()
        .runInBackground(
            () -> {
              for (LiveFile file : context.manifest().liveFiles()) {
                if (tableId == 0 || file.tableId() == tableId) {
                  verify(file, problems);
                }
              }
              done.accept(null);
            });
  }

  private void verify(LiveFile live, Consumer<String> problems) {
    Consumer<String> ofLiveFile =
        problem -> {
          if (context.manifest().isLive(live.number())) {
            problems.accept(problem);
          }
        };
    try (FileSystem.File file = context.files().open(live.path())) {
      Sstable open = context.jobs().format().open(file);
      try {
        open.verify(ofLiveFile);
      } finally {
        open.release();
      }
    } catch (Throwable e) {
      ofLiveFile.accept(String.valueOf(context.jobs().contain(e).getMessage()));
    }
  }
}
