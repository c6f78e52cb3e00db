package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.index.vector.VectorFeed;
import io.helenus.storage.index.vector.VectorFileWriter;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.run.Entry;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The file of an index of vectors for one SSTable while it is written. Nothing is created before
 * the first entry. One background thread at a time.
 */
final class VectorIndexOutput implements IndexOutput {
  private final JobContext context;
  private final TableDescriptor table;
  private final IndexDescriptor index;
  private final String path;
  private final String keyPath;
  private final VectorFeed feed;
  private FileSystem.@Nullable File file;
  private FileSystem.@Nullable File keyFile;
  private @Nullable VectorFileWriter writer;

  VectorIndexOutput(JobContext context, TableDescriptor table, IndexDescriptor index, long number) {
    this.context = context;
    this.table = table;
    this.index = index;
    path = LiveFile.indexPath(table.id(), number, index.id());
    keyPath = path + ".0";
    feed = new VectorFeed(index);
  }

  /** The native memory that it takes for vectors. */
  static long memoryBytes(VectorOptions options) {
    return VectorFileWriter.memoryBytes(options.dimension());
  }

  @Override
  public int indexId() {
    return index.id();
  }

  private VectorFileWriter writer() throws IOException {
    VectorFileWriter existing = writer;
    if (existing != null) {
      return existing;
    }
    FileSystem.File target = context.files().create(path);
    file = target;
    FileSystem.File keys = context.files().create(keyPath);
    keyFile = keys;
    VectorFileWriter made =
        new VectorFileWriter(
            table.id(),
            index,
            new WatchedFile(context, target),
            keys,
            context.graphLimits(),
            context.memory().segments(Use.COMPACTION));
    writer = made;
    return made;
  }

  @Override
  public void add(Entry entry) throws IOException {
    feed.add(entry, writer());
  }

  @Override
  public void finish() throws IOException {
    VectorFileWriter made = writer();
    made.finish();
    made.close();
    writer = null;
    deleteKeys();
  }

  @Override
  public OpenIndex open() throws IOException {
    FileSystem.File made = file;
    if (made == null) {
      throw new IllegalStateException(path + " is not finished");
    }
    return OpenIndex.adopt(context, table.id(), index, made);
  }

  @Override
  public void close() throws IOException {
    FileSystem.File made = file;
    if (made != null) {
      made.close();
    }
  }

  @Override
  public void discard() throws IOException {
    VectorFileWriter unfinished = writer;
    if (unfinished != null) {
      unfinished.close();
      writer = null;
    }
    deleteKeys();
    FileSystem.File made = file;
    if (made != null) {
      file = null;
      made.close();
      context.files().delete(path);
    }
  }

  private void deleteKeys() throws IOException {
    FileSystem.File keys = keyFile;
    if (keys != null) {
      keyFile = null;
      keys.close();
      context.files().delete(keyPath);
    }
  }
}
