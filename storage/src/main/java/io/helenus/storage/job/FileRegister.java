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
 * last of them closes it. Any thread except a shard's.
 */
public final class FileRegister {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileRegister.class);
  private final FileSystem files;
  private final Map<Long, Integer> users = new HashMap<>();
  private final Set<Long> obsolete = new HashSet<>();

  /** No file is open yet. */
  public FileRegister(FileSystem files) {
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

  /** A file is no longer live, durably: deletes it, at once or when it is closed. */
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
