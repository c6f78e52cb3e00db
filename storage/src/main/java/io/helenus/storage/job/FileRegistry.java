package io.helenus.storage.job;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the shards that have each SSTable open. A file that is no longer live is deleted when the
 * last shard closes it. Blocks; any thread except a shard's.
 */
public final class FileRegistry {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileRegistry.class);
  private final FileSystem files;
  private final Map<Long, Integer> users = new HashMap<>();
  private final Set<Long> obsolete = new HashSet<>();

  /** A registry without open files. */
  public FileRegistry(FileSystem files) {
    this.files = files;
  }

  public synchronized void opened(LiveFile file) {
    users.merge(file.number(), 1, Integer::sum);
  }

  public void closed(LiveFile file) {
    boolean delete;
    synchronized (this) {
      int left = users.merge(file.number(), -1, Integer::sum);
      if (left == 0) {
        users.remove(file.number());
      }
      delete = left == 0 && obsolete.remove(file.number());
    }
    if (delete) {
      delete(file);
    }
  }

  /** Deletes a file as soon as no shard has it open. Its removal must already be durable. */
  public void obsolete(LiveFile file) {
    boolean delete;
    synchronized (this) {
      delete = !users.containsKey(file.number());
      if (!delete) {
        obsolete.add(file.number());
      }
    }
    if (delete) {
      delete(file);
    }
  }

  private void delete(LiveFile file) {
    try {
      files.delete(file.path());
    } catch (IOException e) {
      LOGGER.warn(
          "Cannot delete obsolete SSTable {}, will retry at the next start: {}",
          file.path(),
          e.getMessage());
    }
  }
}
