package io.helenus.storage.job;

import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.vector.VectorFile;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an index that belongs to an open SSTable. Opened and closed on background threads.
 *
 * @param indexId the index
 * @param entries its entries (storage/docs/index.md); null if it is of vectors
 * @param vectors its vectors; null for any other index
 */
public record OpenIndex(int indexId, @Nullable Sstable entries, @Nullable VectorFile vectors) {
  private static final Logger LOGGER = LoggerFactory.getLogger(OpenIndex.class);

  /** Opens a file; null if it is missing or damaged and has to be built again. */
  static @Nullable OpenIndex open(
      JobContext context, int tableId, IndexDescriptor index, String path) throws IOException {
    if (!context.files().exists(path)) {
      return null;
    }
    FileSystem.File file = context.files().open(path);
    try {
      return adopt(context, tableId, index, path, file);
    } catch (StorageException damage) {
      file.close();
      LOGGER.warn("An index is built again: {}", damage.getMessage());
    }
    return null;
  }

  /** Wraps a file that is already open, and takes ownership of it. */
  static OpenIndex adopt(
      JobContext context, int tableId, IndexDescriptor index, String path, FileSystem.File file)
      throws IOException {
    if (index.source() == IndexDescriptor.Source.VECTORS) {
      VectorFile vectors = VectorFile.open(tableId, index, file);
      context.registry().opened(path);
      vectors.whenUnused(() -> close(context, path, file, vectors));
      return new OpenIndex(index.id(), null, vectors);
    }
    Sstable entries = context.format().open(file);
    if (entries.tableId() != tableId) {
      entries.release();
      throw new StorageException(file.path() + " is of another table");
    }
    context.registry().opened(path);
    entries.whenUnused(() -> close(context, path, file, null));
    return new OpenIndex(index.id(), entries, null);
  }

  private static void close(
      JobContext context, String path, FileSystem.File file, @Nullable VectorFile vectors) {
    context
        .io()
        .execute(
            () -> {
              try {
                if (vectors != null) {
                  vectors.close();
                }
                file.close();
              } catch (IOException e) {
                context.fatal(e);
              }
              context.registry().closed(path);
            });
  }

  /** The number of its entries or vectors. */
  public long size() {
    Sstable terms = entries;
    return terms != null ? terms.statistics().entries() : Objects.requireNonNull(vectors).size();
  }

  /** The size of the file in bytes. */
  public long sizeBytes() {
    Sstable terms = entries;
    return terms != null ? terms.sizeBytes() : Objects.requireNonNull(vectors).sizeBytes();
  }

  /** Whether it has graphs of its vectors. */
  public boolean hasGraphs() {
    return vectors != null && vectors.hasGraphs();
  }

  /** Whether it lacks graphs, which are built after a flush. */
  public boolean lacksGraphs(GraphLimits limits) {
    return vectors != null && !hasGraphs() && size() >= limits.fewestVectors();
  }

  /** Passes on its entries, if it has terms. */
  public void ifTerms(Consumer<Sstable> action) {
    if (entries != null) {
      action.accept(entries);
    }
  }

  /** Removes a user. Shard thread, or before the file is handed to it. */
  public void release() {
    if (entries != null) {
      entries.release();
    }
    if (vectors != null) {
      vectors.release();
    }
  }
}
