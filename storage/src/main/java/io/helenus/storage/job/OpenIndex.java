package io.helenus.storage.job;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an index that belongs to an open SSTable. Opened and closed on background threads.
 *
 * @param indexId the index
 * @param entries its entries (storage/docs/index.md)
 */
public record OpenIndex(int indexId, Sstable entries) {
  private static final Logger LOGGER = LoggerFactory.getLogger(OpenIndex.class);

  /** Opens a file; null if it is missing or damaged and has to be built again. */
  static @Nullable OpenIndex open(JobContext context, int tableId, int indexId, String path)
      throws IOException {
    if (!context.files().exists(path)) {
      return null;
    }
    FileSystem.File file = context.files().open(path);
    try {
      OpenIndex index = adopt(context, indexId, file);
      if (index.entries.tableId() == tableId) {
        return index;
      }
      index.entries.release();
      LOGGER.warn("{} is of another table; it is built again", path);
    } catch (StorageException damage) {
      file.close();
      LOGGER.warn("An index is built again: {}", damage.getMessage());
    }
    return null;
  }

  /** Wraps a file that is already open, and takes ownership of it. */
  static OpenIndex adopt(JobContext context, int indexId, FileSystem.File file) {
    Sstable entries = context.format().open(file);
    String path = file.path();
    context.registry().opened(path);
    entries.whenUnused(
        () ->
            context
                .io()
                .execute(
                    () -> {
                      try {
                        file.close();
                      } catch (IOException e) {
                        context.fatal(e);
                      }
                      context.registry().closed(path);
                    }));
    return new OpenIndex(indexId, entries);
  }
}
