package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the files of a table that contain a partition, with their filters and indexes. */
final class FindFilesCommand {
  private final StorageContext context;
  private final List<ShardEngine> shards;
  private final int tableId;
  private final ByteWriter prefix;
  private final Consumer<String> paths;
  private final Consumer<Exception> whenDone;
  private final PinnedFiles pinned = new PinnedFiles();

  FindFilesCommand(
      StorageContext context,
      List<ShardEngine> shards,
      int tableId,
      byte[] prefix,
      Consumer<String> paths,
      Consumer<Exception> whenDone) {
    this.context = context;
    this.shards = shards;
    this.tableId = tableId;
    this.prefix = new ByteWriter(prefix.length).putBytes(prefix);
    this.paths = paths;
    this.whenDone = whenDone;
  }

  void start() {
    Countdown countdown = new Countdown(shards.size(), this::pinned);
    for (ShardEngine shard : shards) {
      shard.execute(
          () -> {
            TableStore store = shard.stores().get(tableId);
            if (store == null) {
              countdown.accept(new StorageException("no table with id " + tableId));
            } else {
              pinned.retain(shard, store);
              countdown.accept(null);
            }
          });
    }
  }

  private void pinned(@Nullable Exception failure) {
    context.jobs().io().execute(() -> finish(failure == null ? find() : failure));
  }

  /** On an I/O thread; returns the failure. */
  private @Nullable Exception find() {
    try (DirectBlocks blocks = new DirectBlocks()) {
      long hash = Hashing.xxh3(prefix.segment(), 0, prefix.size());
      for (OpenFile file : pinned.files()) {
        file.sstable().loadFilter();
        if (file.sstable().mayContain(hash) && contains(file.sstable(), blocks)) {
          paths.accept(file.sstable().path());
        }
      }
      return null;
    } catch (Throwable e) {
      return context.jobs().contain(e);
    }
  }

  private boolean contains(Sstable file, DirectBlocks blocks) {
    try (EntryCursor cursor = file.cursor(blocks)) {
      return cursor.seek(prefix.segment(), 0, prefix.size(), 0) == EntryCursor.Step.READY
          && cursor.isInPartition(prefix);
    }
  }

  private void finish(@Nullable Exception outcome) {
    pinned.release();
    whenDone.accept(outcome);
  }
}
