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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which SSTables are live, and up to where each log is in them (storage/docs/manifest.md). Any
 * thread but a shard's: {@link #commit} waits for the disk. One edit at a time.
 *
 * <p>An edit that cannot be written leaves everything as it was and may be tried again. One whose
 * sync fails is the end: nobody knows whether it is on the disk, so the node must stop.
 */
public final class Manifest {
  /** Says, under the manifest's lock, whether an edit still makes sense. */
  public interface Condition {
    /** Whether to go on. */
    boolean holds();
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(Manifest.class);
  private static final long REWRITE_BYTES = 64 << 10;
  private static final int REWRITE_FACTOR = 4;

  private final FileSystem files;
  private final FatalErrors fatal;
  private final ManifestState state = new ManifestState();

  /** For those who must not wait for the lock. */
  private volatile Map<Integer, Long> truncated = Map.of();

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

  /** Reads what there is; damage is a {@link StorageException}. */
  public static Manifest open(FileSystem files, FatalErrors fatal) throws IOException {
    Manifest manifest = new Manifest(files, fatal);
    manifest.load();
    return manifest;
  }

  /** Reads which files are live, and changes nothing; damage is a {@link StorageException}. */
  public static List<LiveFile> readLiveFiles(FileSystem files) throws IOException {
    TreeSet<Long> numbers = numbers(files);
    ManifestState state = new ManifestState();
    if (numbers.isEmpty()) {
      refuseFilesWithoutManifest(files);
    } else {
      String path = ManifestFile.path(numbers.last(), ManifestFile.NAME_END);
      try (FileSystem.File opened = files.open(path)) {
        long end = ManifestFile.read(opened, state::apply);
        assert end > 0;
      }
    }
    return List.copyOf(state.files());
  }

  /** The numbers of the manifests that are whole. */
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
              + " has files, but the manifest that tells which of them"
              + " are live is missing; restore the folder "
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
      endOffset = ManifestFile.read(opened, state::apply);
      truncated = state.truncated();
      cutTornTail(opened);
      // what was read will be acted on, so neither it nor the file's name may be forgotten any more
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
          "the manifest {} ended in half an edit, which was never reported as done: {} bytes cut"
              + " off",
          opened.path(),
          torn);
      opened.truncate(endOffset);
    }
  }

  /** Whether an edit may or may not be on the disk, so that the node must stop. */
  public synchronized boolean isFailed() {
    return failed;
  }

  /** The live files, by number. */
  public synchronized List<LiveFile> liveFiles() {
    return List.copyOf(state.files());
  }

  /** When a table was truncated last, in microseconds; 0 for never. Never waits. */
  public long truncatedAtMicros(int tableId) {
    return truncated.getOrDefault(tableId, 0L);
  }

  /** Whether a file is live. */
  public synchronized boolean isLive(long fileNumber) {
    return state.isLive(fileNumber);
  }

  /** Whether a record is in files, or was truncated. */
  public synchronized boolean isFlushed(int tableId, long logId, long token, long position) {
    return state.isFlushed(tableId, logId, token, position);
  }

  /** The greatest log id that is remembered, or -1. */
  public synchronized long greatestLogId() {
    TreeSet<Long> ids = state.logIds();
    return ids.isEmpty() ? -1 : ids.last();
  }

  /** Removes the files that no edit made live. At the start only. */
  public synchronized void deleteOrphans() throws IOException {
    TreeSet<String> live = new TreeSet<>();
    state.files().forEach(liveFile -> live.add(liveFile.path()));
    for (String name : files.list(LiveFile.FOLDER)) {
      String path = LiveFile.FOLDER + "/" + name;
      if (!live.contains(path)) {
        files.delete(path);
      }
    }
  }

  /** A number for a new file. Makes the manifest exist, so that no file is there without it. */
  public synchronized long takeFileNumber() throws IOException {
    if (file == null) {
      rewrite();
    }
    return nextFileNumber++;
  }

  /**
   * Makes the changes durable, all or none. Raises what the disk says when they could not be
   * written, and nothing has changed then.
   */
  public void commit(List<Change> changes) throws IOException {
    boolean done = commitIf(changes, () -> true);
    assert done;
  }

  /** The same, if the condition holds; else false and nothing has changed. */
  public synchronized boolean commitIf(List<Change> changes, Condition condition)
      throws IOException {
    if (failed) {
      throw new IOException("the manifest could not be synced: the node must be restarted");
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
   * Makes durable that a table has no files any more since this time and that these log positions
   * count as flushed; returns the files that it had. What is to happen with it, happens under the
   * manifest's lock.
   */
  public synchronized List<LiveFile> truncate(
      int tableId, long atMicros, List<Change> positions, Runnable together) throws IOException {
    List<Change> changes = new ArrayList<>(positions);
    changes.add(new Change.Truncated(tableId, atMicros));
    List<LiveFile> removed = filesOf(tableId);
    for (LiveFile gone : removed) {
      changes.add(new Change.FileRemoved(gone.number()));
    }
    commit(changes);
    together.run();
    return removed;
  }

  /** Makes durable that tables do not exist any more; returns the files that they had. */
  public synchronized List<LiveFile> forgetTables(Collection<Integer> tableIds) throws IOException {
    List<LiveFile> removed = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    for (int tableId : tableIds) {
      if (state.knows(tableId)) {
        changes.add(new Change.TableForgotten(tableId));
        removed.addAll(filesOf(tableId));
      }
    }
    if (!changes.isEmpty()) {
      commit(changes);
    }
    return removed;
  }

  /** Makes durable that the files of logs are deleted, where anything is remembered of them. */
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

  /** The tables that something is remembered of. */
  public synchronized List<Integer> tableIds() {
    return List.copyOf(state.tableIds());
  }

  /** The logs that something is remembered of. */
  public synchronized List<Long> rememberedLogs() {
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
      // the edit itself is durable: its caller must not be told that it failed
      rewriteAboveBytes = rewriteLimit(endOffset);
      LOGGER.warn("The manifest could not be rewritten; a later edit tries again", why);
    }
  }

  private static long rewriteLimit(long bytes) {
    return bytes + Math.max(REWRITE_BYTES, REWRITE_FACTOR * bytes);
  }

  /** Something that waits for the disk. */
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

  /** Writes the state as a new file that takes the place of the present one. */
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
