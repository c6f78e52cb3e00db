package io.helenus.storage.job;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the shards that have each file open: SSTables, and the files of indexes that belong to
 * them. A file that is no longer live is deleted when the last shard closes it. Blocks; any thread
 * except a shard's.
 */
public final class FileRegistry {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileRegistry.class);
  private final FileSystem files;
  private final Map<String, Integer> users = new HashMap<>();
  private final Set<String> obsolete = new HashSet<>();

  /** Files that are being deleted, after which there may be others of the same name. */
  private final Set<String> deleting = new HashSet<>();

  private final Map<String, Set<String>> indexes = new HashMap<>();
  private final Map<String, List<Runnable>> waiters = new HashMap<>();

  /** A registry without open files. */
  public FileRegistry(FileSystem files) {
    this.files = files;
  }

  /** Counts a user of a file. */
  public synchronized void opened(String path) {
    users.merge(path, 1, Integer::sum);
  }

  /**
   * Runs an action when a file has no users: at once, or on the thread on which the last one closes
   * it, after the file has been deleted if it is obsolete.
   */
  public void whenClosed(String path, Runnable action) {
    synchronized (this) {
      if (users.containsKey(path) || deleting.contains(path)) {
        waiters.computeIfAbsent(path, ignored -> new ArrayList<>()).add(action);
        return;
      }
    }
    action.run();
  }

  /**
   * Notes that the file of an index, open or damaged, belongs to an SSTable, which is open: it
   * becomes obsolete with it, at once if the SSTable is not live any more.
   */
  public void belongs(String indexPath, LiveFile file) {
    synchronized (this) {
      if (!obsolete.contains(file.path())) {
        indexes.computeIfAbsent(file.path(), path -> new HashSet<>()).add(indexPath);
        return;
      }
    }
    obsolete(indexPath);
  }

  /** A user of a file has closed it. */
  public void closed(String path) {
    boolean delete;
    synchronized (this) {
      if (users.merge(path, -1, Integer::sum) > 0) {
        return;
      }
      users.remove(path);
      delete = obsolete.remove(path) && deleting.add(path);
    }
    if (delete) {
      delete(path);
    } else {
      runWaiters(path);
    }
  }

  private void runWaiters(String path) {
    List<Runnable> waiting;
    synchronized (this) {
      waiting = Objects.requireNonNullElse(waiters.remove(path), List.of());
    }
    waiting.forEach(Runnable::run);
  }

  /**
   * Deletes a file and the files of its indexes as soon as no shard has them open. Its removal must
   * already be durable.
   */
  public void obsolete(LiveFile file) {
    obsolete(file.path());
    Set<String> belonging;
    synchronized (this) {
      belonging = indexes.remove(file.path());
    }
    if (belonging != null) {
      belonging.forEach(this::obsolete);
    }
  }

  /** The same for the file of an index alone. */
  public void obsoleteIndex(String indexPath, LiveFile file) {
    deleted(indexPath, file);
    obsolete(indexPath);
  }

  /** The damaged file of an index has been deleted, so that it does not belong any more. */
  public synchronized void deleted(String indexPath, LiveFile file) {
    Set<String> belonging = indexes.get(file.path());
    if (belonging != null && belonging.remove(indexPath) && belonging.isEmpty()) {
      indexes.remove(file.path());
    }
  }

  private void obsolete(String path) {
    boolean delete;
    synchronized (this) {
      delete = !users.containsKey(path) && deleting.add(path);
      if (users.containsKey(path)) {
        obsolete.add(path);
      }
    }
    if (delete) {
      delete(path);
    }
  }

  private void delete(String path) {
    try {
      files.delete(path);
    } catch (IOException e) {
      LOGGER.warn(
          "Cannot delete obsolete file {}, will retry at the next start: {}", path, e.getMessage());
    }
    synchronized (this) {
      deleting.remove(path);
    }
    runWaiters(path);
  }
}
