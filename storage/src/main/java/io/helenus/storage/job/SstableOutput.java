package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.run.Entry;
import io.helenus.storage.sstable.SstableWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An SSTable being written. It must be durable, including its directory entry, before the manifest
 * makes it live. One background thread at a time.
 */
public final class SstableOutput {
  private final JobContext context;
  private final TableDescriptor table;
  private final long number;
  private final String path;
  private final FileSystem.File file;
  private final SstableWriter writer;
  private final List<IndexOutput> indexes;
  private long entries;
  private @Nullable LiveFile live;
  private @Nullable OpenFile opened;
  private int openedIndexes;

  /**
   * Begins a file.
   *
   * @param graphs whether graphs of vectors are built, which {@link #prepare} does
   */
  public SstableOutput(
      JobContext context,
      TableDescriptor table,
      long expectedEntries,
      byte[] logPositions,
      boolean graphs)
      throws IOException {
    this.context = context;
    this.table = table;
    number = context.manifest().allocateFileNumber();
    path = LiveFile.path(table.id(), number);
    SstableWriter.Options options =
        new SstableWriter.Options(
            table.id(),
            columnIds(table),
            table.compression(),
            table.bloomFalsePositiveChance(),
            Math.max(1, expectedEntries),
            logPositions,
            context.partitionLimits());
    indexes = IndexOutput.of(context, table, number, table.indexes(), graphs);
    file = context.files().create(path);
    try {
      writer = context.format().create(new WatchedFile(context, file), options);
    } catch (Throwable e) {
      // the writer's buffers are native memory, which may be exhausted
      discard(context.contain(e));
      throw e;
    }
  }

  private static int[] columnIds(TableDescriptor table) {
    List<TableDescriptor.Column> columns = table.columns();
    int[] ids = new int[columns.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = columns.get(i).id();
    }
    return ids;
  }

  /** The memory that the indexes of a table take while a file is written. */
  public static long indexMemory(JobContext context, TableDescriptor table) {
    int count = table.indexes().size();
    long bytes = 0;
    for (IndexDescriptor index : table.indexes()) {
      VectorOptions vectors = index.vectors();
      bytes +=
          vectors == null
              ? IndexOutput.sortedBytes(context, count)
              : VectorIndexOutput.memoryBytes(vectors);
    }
    return bytes;
  }

  public void add(Entry entry) throws IOException {
    writer.add(entry);
    entries++;
    for (int i = 0; i < indexes.size(); i++) {
      indexes.get(i).add(entry);
    }
  }

  public boolean isEmpty() {
    return entries == 0;
  }

  /**
   * Does a part of what takes long once all entries have been added, so that other jobs get their
   * turn; false if nothing is left of it.
   */
  public boolean prepare() throws IOException {
    for (IndexOutput index : indexes) {
      if (index.prepare()) {
        return true;
      }
    }
    return false;
  }

  /** Writes the remaining blocks and makes the file durable, with those of its indexes. */
  public LiveFile finish(long firstToken, long lastToken) throws IOException {
    var statistics = writer.finish();
    writer.close();
    assert statistics.entries() == entries;
    for (IndexOutput index : indexes) {
      index.finish();
    }
    try {
      context.files().syncFolder(LiveFile.FOLDER);
    } catch (IOException e) {
      context.fatal(e);
      throw e;
    }
    LiveFile made = LiveFile.fresh(number, table.id(), file.size(), firstToken, lastToken);
    live = made;
    return made;
  }

  /**
   * Opens the finished file for a shard. Call this before the file becomes live, so that nothing
   * can fail afterwards.
   */
  public OpenFile open() throws IOException {
    LiveFile made = live;
    if (made == null) {
      throw new IllegalStateException(path + " is not finished");
    }
    OpenFile file = OpenFile.adopt(context, made, this.file, false);
    opened = file;
    for (IndexOutput index : indexes) {
      file.add(index.open());
      openedIndexes++;
    }
    return file;
  }

  /** Closes the finished file and keeps it. */
  public void close() throws IOException {
    file.close();
    for (IndexOutput index : indexes) {
      index.close();
    }
  }

  /**
   * Deletes the file. A failure to do so is added to {@code why} as a suppressed exception, or
   * raised if that is null. Does nothing if the manifest has failed, because the file may be live.
   */
  public void abandon(@Nullable Exception why) throws IOException {
    writer.close();
    if (context.manifest().isFailed()) {
      return;
    }
    OpenFile open = opened;
    if (open != null) {
      context.registry().obsolete(open.live());
      open.sstable().release();
    }
    discard(why);
  }

  /** Deletes the files that have not been opened. */
  private void discard(@Nullable Exception why) throws IOException {
    try {
      if (opened == null) {
        file.close();
        context.files().delete(path);
      }
      for (IndexOutput index : indexes.subList(openedIndexes, indexes.size())) {
        index.discard();
      }
    } catch (IOException e) {
      if (why == null) {
        throw e;
      }
      why.addSuppressed(e);
    }
  }
}
