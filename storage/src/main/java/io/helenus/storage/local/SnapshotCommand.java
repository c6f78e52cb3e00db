package io.helenus.storage.local;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.OpenIndex;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Links the files of a table into a folder. Every shard first flushes its memtables, if they are to
 * be included, and retains its files, so that no compaction deletes them before they are linked.
 */
final class SnapshotCommand {
  private final StorageContext context;
  private final List<ShardEngine> shards;
  private final int tableId;
  private final String folder;
  private final Consumer<Exception> whenDone;
  private final PinnedFiles pinned = new PinnedFiles();

  SnapshotCommand(
      StorageContext context,
      List<ShardEngine> shards,
      int tableId,
      String folder,
      Consumer<Exception> whenDone) {
    this.context = context;
    this.shards = shards;
    this.tableId = tableId;
    this.folder = folder;
    this.whenDone = whenDone;
  }

  void start(boolean skipFlush) {
    Countdown countdown = new Countdown(shards.size(), this::pinned);
    for (ShardEngine shard : shards) {
      shard.execute(() -> pin(shard, skipFlush, countdown));
    }
  }

  private void pin(ShardEngine shard, boolean skipFlush, Countdown countdown) {
    TableStore store = shard.stores().get(tableId);
    if (store == null) {
      countdown.accept(new StorageException("no table with id " + tableId));
    } else if (skipFlush) {
      pinned.retain(shard, store);
      countdown.accept(null);
    } else {
      store.flush(
          failure -> {
            if (failure == null) {
              pinned.retain(shard, store);
            }
            countdown.accept(failure);
          });
    }
  }

  private void pinned(@Nullable Exception failure) {
    context.jobs().io().execute(() -> finish(failure == null ? link() : failure));
  }

  /** On an I/O thread; returns the failure. A file of several shards is linked once. */
  private @Nullable Exception link() {
    FileSystem files = context.files();
    try {
      for (OpenFile file : pinned.files()) {
        String path = file.live().path();
        files.link(path, folder + path.substring(path.lastIndexOf('/')));
        for (OpenIndex index : file.indexes()) {
          String indexPath = file.live().indexPath(index.indexId());
          files.link(indexPath, folder + indexPath.substring(indexPath.lastIndexOf('/')));
        }
      }
      files.syncFolder(folder);
      return null;
    } catch (Throwable e) {
      return context.jobs().contain(e);
    }
  }

  private void finish(@Nullable Exception outcome) {
    pinned.release();
    whenDone.accept(outcome);
  }
}
