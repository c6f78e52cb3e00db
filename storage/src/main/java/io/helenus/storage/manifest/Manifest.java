package io.helenus.storage.manifest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which SSTables are live and which part of each commit log they cover
 * (storage/docs/manifest.md). Any thread except a shard's, because {@link #commit} waits for the
 * disk. One edit at a time.
 *
 * <p>An edit that cannot be written changes nothing and may be retried. After a failed sync it is
 * unknown whether the edit is durable, so the node must stop.
 */
public final class Manifest {
  /** Decides under the manifest's lock whether an edit is still valid. */
  public interface Condition {
    /** Whether to commit the edit. */
    boolean holds();
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(Manifest.class);
  private static final long REWRITE_BYTES = 64 << 10;
  private static final int REWRITE_FACTOR = 4;

  private final FileSystem files;
  private final FatalErrors fatal;
  private final ManifestState state = new ManifestState();

  /** The last truncations, for readers that must not wait for the lock. */
  private volatile Map<Integer, Change.Truncated> truncated = Map.of();

  private FileSystem.@Nullable File file;
  private long number;
  private long endOffset;
  private long rewriteAboveBytes;
  private long nextFileNumber;
  private boolean failed;

  private Manifest(FileSystem files, FatalErrors fatal) {
    this.files = files;
    this.fatal = fatal;
  }

  /** Reads the manifest, if there is one. Raises {@link StorageException} if it is damaged. */
  public static Manifest open(FileSystem files, FatalErrors fatal) throws IOException {
    Manifest manifest = new Manifest(files, fatal);
    manifest.load();
    return manifest;
  }

  /** Reads the live files and changes nothing. Raises {@link StorageException} for damage. */
  public static List<LiveFile> readLiveFiles(FileSystem files) throws IOException {
    TreeSet<Long> numbers = numbers(files);
    ManifestState state = new ManifestState();
    if (numbers.isEmpty()) {
      refuseFilesWithoutManifest(files);
    } else {
      String path = ManifestFile.path(numbers.last(), ManifestFile.NAME_END);
      try (FileSystem.File opened = files.open(path)) {
        long end = ManifestFile.read(opened, (offset, changes) -> state.apply(changes));
        assert end > 0;
      }
    }
    return List.copyOf(state.files());
  }

  /** The numbers of the complete manifests. */
  private static TreeSet<Long> numbers(FileSystem files) throws IOException {
    TreeSet<Long> numbers = new TreeSet<>();
    for (String name : files.list(ManifestFile.FOLDER)) {
      if (name.endsWith(ManifestFile.NAME_END)) {
        int digits = name.length() - ManifestFile.NAME_END.length();
        numbers.add(Long.parseUnsignedLong(name.substring(0, digits), 16));
      }
    }
    return numbers;
  }

  private static void refuseFilesWithoutManifest(FileSystem files) throws IOException {
    if (files.list(LiveFile.FOLDER).stream().anyMatch(n -> n.endsWith(LiveFile.NAME_END))) {
      throw new StorageException(
          "the folder "
              + LiveFile.FOLDER
              + " contains SSTables, but the manifest that lists the live"
              + " ones is missing; restore the folder "
              + ManifestFile.FOLDER);
    }
  }

  private synchronized void load() throws IOException {
    files.createFolders(ManifestFile.FOLDER);
    files.createFolders(LiveFile.FOLDER);
    for (String name : files.list(ManifestFile.FOLDER)) {
      if (name.endsWith(ManifestFile.NEW_NAME_END)) {
        files.delete(ManifestFile.FOLDER + "/" + name);
      }
    }
    TreeSet<Long> numbers = numbers(files);
    if (!numbers.isEmpty()) {
      number = numbers.last();
      FileSystem.File opened = files.open(ManifestFile.path(number, ManifestFile.NAME_END));
      file = opened;
      endOffset = ManifestFile.read(opened, (offset, changes) -> state.apply(changes));
      truncated = state.truncated();
      cutTornTail(opened);
      // the node will act on the edits, so they and the file's name must be durable
      syncOrFail(opened::sync);
      syncOrFail(() -> files.syncFolder(ManifestFile.FOLDER));
      rewriteAboveBytes = rewriteLimit(endOffset);
      for (long older : numbers.headSet(number)) {
        files.delete(ManifestFile.path(older, ManifestFile.NAME_END));
      }
    } else {
      refuseFilesWithoutManifest(files);
    }
    nextFileNumber = state.nextFileNumber();
  }

  private void cutTornTail(FileSystem.File opened) throws IOException {
    long torn = opened.size() - endOffset;
    if (torn > 0) {
      LOGGER.warn(
          "Manifest {} ends with an incomplete edit, which was never acknowledged: truncated by {}"
              + " bytes",
          opened.path(),
          torn);
      opened.truncate(endOffset);
    }
  }

  /**
   * Whether a sync has failed, so that it is unknown whether the last edit is durable. The node
   * must stop.
   */
  public synchronized boolean isFailed() {
    return failed;
  }

  /** The live files in order of their numbers. */
  public synchronized List<LiveFile> liveFiles() {
    return List.copyOf(state.files());
  }

  /** When a table was last truncated, in microseconds since 1970, or 0. Never blocks. */
  public long truncatedAtMicros(int tableId) {
    Change.Truncated last = truncated.get(tableId);
    return last == null ? 0 : last.atMicros();
  }

  /**
   * The epoch of a table's last truncation that all members of a cluster carry out; 0 for none.
   * Never blocks.
   */
  public long truncationEpoch(int tableId) {
    Change.Truncated last = truncated.get(tableId);
    return last == null ? 0 : last.epoch();
  }

  /** The last recorded id of the node's counter shares; null if there is none. */
  public synchronized Change.@Nullable CounterShare counterShare() {
    return state.counterShare();
  }

  /** Whether a file is live. */
  public synchronized boolean isLive(long fileNumber) {
    return state.isLive(fileNumber);
  }

  /** Whether a record of a log is in SSTables or was truncated. */
  public synchronized boolean isFlushed(int tableId, long logId, long token, long position) {
    return state.isFlushed(tableId, logId, token, position);
  }

  /** The greatest id of a log with positions, or -1. */
  public synchronized long greatestLogId() {
    TreeSet<Long> ids = state.logIds();
    return ids.isEmpty() ? -1 : ids.last();
  }

  /**
   * Deletes files that are not live. Only at start-up.
   *
   * @param belonging the files of indexes that belong to live files, by their paths
   */
  public synchronized void deleteOrphans(Set<String> belonging) throws IOException {
    TreeSet<String> live = new TreeSet<>(belonging);
    state.files().forEach(liveFile -> live.add(liveFile.path()));
    for (String name : files.list(LiveFile.FOLDER)) {
      String path = LiveFile.FOLDER + "/" + name;
      if (!live.contains(path)) {
        files.delete(path);
      }
    }
  }

  /**
   * Assigns a number to a new file. Creates the manifest first, so that no file exists without it.
   */
  public synchronized long allocateFileNumber() throws IOException {
    if (file == null) {
      rewrite();
    }
    return nextFileNumber++;
  }

  /**
   * Commits changes atomically and durably. If they cannot be written, raises an IOException and
   * changes nothing.
   */
  public void commit(List<Change> changes) throws IOException {
    boolean done = commitIf(changes, () -> true);
    assert done;
  }

  /** The same if a condition holds; otherwise returns false and changes nothing. */
  public synchronized boolean commitIf(List<Change> changes, Condition condition)
      throws IOException {
    if (failed) {
      throw new IOException("a sync of the manifest failed; the node must be restarted");
    }
    if (!condition.holds()) {
      return false;
    }
    FileSystem.File open = file;
    if (open == null) {
      open = rewrite();
    }
    ByteWriter bytes = new ByteWriter(512);
    ManifestFile.writeRecord(changes, endOffset, bytes);
    open.write(endOffset, bytes.segment(), 0, bytes.size());
    syncOrFail(open::sync);
    endOffset += bytes.size();
    state.apply(changes);
    truncated = state.truncated();
    if (endOffset > rewriteAboveBytes) {
      rewriteIfPossible();
    }
    return true;
  }

  /**
   * Commits the truncation of tables: removes their files and records the log positions before
   * which a replay skips their records. Runs an action together with the edit, under the manifest's
   * lock. Returns the removed files.
   *
   * @param epoch that of a truncation that all members of a cluster carry out; 0 for others, which
   *     leave the recorded epoch as it is
   */
  public synchronized List<LiveFile> truncate(
      Collection<Integer> tableIds,
      long atMicros,
      long epoch,
      List<Change> positions,
      Runnable underLock)
      throws IOException {
    List<Change> changes = new ArrayList<>(positions);
    List<LiveFile> removed = new ArrayList<>();
    for (int tableId : tableIds) {
      changes.add(
          new Change.Truncated(tableId, atMicros, Math.max(epoch, truncationEpoch(tableId))));
      removed.addAll(filesOf(tableId));
    }
    for (LiveFile gone : removed) {
      changes.add(new Change.FileRemoved(gone.number()));
    }
    commit(changes);
    underLock.run();
    return removed;
  }

  /** Commits the removal of dropped tables; returns their files. */
  public synchronized List<LiveFile> forgetTables(Collection<Integer> tableIds) throws IOException {
    List<LiveFile> removed = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    for (int tableId : tableIds) {
      if (state.hasTable(tableId)) {
        changes.add(new Change.TableForgotten(tableId));
        removed.addAll(filesOf(tableId));
      }
    }
    if (!changes.isEmpty()) {
      commit(changes);
    }
    return removed;
  }

  /** Commits the removal of the positions of logs whose segments were deleted. */
  public synchronized void forgetLogs(Collection<Long> logIds) throws IOException {
    TreeSet<Long> known = state.logIds();
    List<Change> changes = new ArrayList<>();
    for (long logId : logIds) {
      if (known.contains(logId)) {
        changes.add(new Change.LogForgotten(logId));
      }
    }
    if (!changes.isEmpty()) {
      commit(changes);
    }
  }

  /** The ids of the tables with files, positions or a truncation. */
  public synchronized List<Integer> tableIds() {
    return List.copyOf(state.tableIds());
  }

  /** The ids of the logs with positions. */
  public synchronized List<Long> logIds() {
    return List.copyOf(state.logIds());
  }

  private List<LiveFile> filesOf(int tableId) {
    return state.files().stream().filter(f -> f.tableId() == tableId).toList();
  }

  private void rewriteIfPossible() throws IOException {
    try {
      FileSystem.File made = rewrite();
      assert made == file;
    } catch (Throwable e) {
      Exception why = fatal.contain(e);
      if (failed) {
        throw e;
      }
      // the edit itself is durable and must not be reported as failed
      rewriteAboveBytes = rewriteLimit(endOffset);
      LOGGER.warn("Cannot rewrite the manifest, a later edit will retry", why);
    }
  }

  private static long rewriteLimit(long bytes) {
    return bytes + Math.max(REWRITE_BYTES, REWRITE_FACTOR * bytes);
  }

  /** A call that waits for the disk. */
  private interface Syncing {
    void run() throws IOException;
  }

  private void syncOrFail(Syncing sync) throws IOException {
    try {
      sync.run();
    } catch (Throwable e) {
      failed = true;
      fatal.halt(e);
      throw e;
    }
  }

  /** Writes the state to a new file, which replaces the current one. */
  private FileSystem.File rewrite() throws IOException {
    long newNumber = number + 1;
    String newPath = ManifestFile.path(newNumber, ManifestFile.NEW_NAME_END);
    ByteWriter bytes = new ByteWriter(4096);
    ManifestFile.writeHeader(newNumber, bytes);
    ManifestFile.writeRecord(state.snapshot(), bytes.size(), bytes);
    if (files.exists(newPath)) {
      files.delete(newPath);
    }
    FileSystem.File made = files.create(newPath);
    try {
      made.write(0, bytes.segment(), 0, bytes.size());
    } catch (IOException e) {
      made.close();
      throw e;
    }
    syncOrFail(made::sync);
    files.rename(newPath, ManifestFile.path(newNumber, ManifestFile.NAME_END));
    syncOrFail(() -> files.syncFolder(ManifestFile.FOLDER));
    FileSystem.File old = file;
    long oldNumber = number;
    file = made;
    number = newNumber;
    endOffset = bytes.size();
    rewriteAboveBytes = rewriteLimit(endOffset);
    if (old != null) {
      old.close();
      files.delete(ManifestFile.path(oldNumber, ManifestFile.NAME_END));
    }
    return made;
  }

  /** Closes the file. */
  public synchronized void close() throws IOException {
    FileSystem.File open = file;
    file = null;
    failed = true;
    if (open != null) {
      open.close();
    }
  }
}
