package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A live SSTable that one shard has open. Opened and closed on background threads. */
public final class OpenFile {
  private final LiveFile live;
  private final Sstable sstable;
  private final boolean shared;
  private final JobContext context;
  private volatile List<OpenIndex> indexes = List.of();

  private OpenFile(JobContext context, LiveFile live, Sstable sstable, boolean shared) {
    this.context = context;
    this.live = live;
    this.sstable = sstable;
    this.shared = shared;
  }

  /**
   * Opens a live file of a table for a shard, with the files of its indexes that are whole; {@code
   * shared} if it also contains rows of other shards.
   */
  public static OpenFile open(
      JobContext context, TableDescriptor table, LiveFile live, boolean shared) throws IOException {
    FileSystem.File file = context.files().open(live.path());
    OpenFile opened;
    try {
      opened = adopt(context, live, file, shared);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
    for (IndexDescriptor index : table.indexes()) {
      String path = live.indexPath(index.id());
      OpenIndex entries = OpenIndex.open(context, table.id(), index, path);
      if (entries != null) {
        opened.add(entries);
      } else if (context.files().exists(path)) {
        context.registry().belongs(path, live); // damaged, and perhaps not built again
      }
    }
    return opened;
  }

  /** Wraps a live file that is already open, and takes ownership of it. */
  public static OpenFile adopt(
      JobContext context, LiveFile live, FileSystem.File file, boolean shared) {
    Sstable sstable = context.format().open(file);
    context.registry().opened(live.path());
    OpenFile opened = new OpenFile(context, live, sstable, shared);
    sstable.whenUnused(() -> opened.unused(file));
    return opened;
  }

  /** Closes the file and those of its indexes. Shard thread. */
  private void unused(FileSystem.File file) {
    indexes.forEach(index -> index.release());
    context
        .io()
        .execute(
            () -> {
              try {
                file.close();
              } catch (IOException e) {
                context.fatal(e);
              }
              context.registry().closed(live.path());
            });
  }

  /**
   * Adds the file of an index, in place of the one that it has replaced, if any. Before the file is
   * handed to its shard, or on its thread.
   */
  public void add(OpenIndex index) {
    context.registry().belongs(live.indexPath(index.indexId()), live);
    List<OpenIndex> all = new ArrayList<>(indexes);
    OpenIndex replaced = index(index.indexId());
    all.remove(replaced);
    all.add(index);
    indexes = List.copyOf(all);
    if (replaced != null) {
      replaced.release();
    }
  }

  /** Removes the file of an index and deletes it as soon as nothing reads it. Shard thread. */
  public void remove(OpenIndex index) {
    List<OpenIndex> others = new ArrayList<>(indexes);
    others.remove(index);
    indexes = List.copyOf(others);
    // it is still open, so that this only marks it: a new file of the same name must not be deleted
    context.registry().obsoleteIndex(live.indexPath(index.indexId()), live);
    index.release();
  }

  /** The files of indexes that are whole. Any thread. */
  public List<OpenIndex> indexes() {
    return indexes;
  }

  /** The file of an index; null if it has yet to be built. Any thread. */
  public @Nullable OpenIndex index(int indexId) {
    for (OpenIndex index : indexes) {
      if (index.indexId() == indexId) {
        return index;
      }
    }
    return null;
  }

  public LiveFile live() {
    return live;
  }

  public Sstable sstable() {
    return sstable;
  }

  public boolean isShared() {
    return shared;
  }
}
