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
 * Who has which SSTable open: a file that is live no more is deleted when the last shard that reads
 * it lets go. Any thread but a shard's.
 */
public final class FileRegister {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileRegister.class);
  private final FileSystem files;
  private final Map<Long, Integer> users = new HashMap<>();
  private final Set<Long> obsolete = new HashSet<>();

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

  /** A file is live no more, and the manifest says so durably. */
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
          "{} is not needed any more but cannot be deleted; the next start tries again: {}",
          file.path(),
          e.getMessage());
    }
  }
}
