package io.helenus.storage.manifest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  private static final long REWRITE_BYTES = 64 << 10;
  private static final int REWRITE_FACTOR = 4;

  private final FileSystem files;
  private final Consumer<? super Exception> fatal;
  private final ManifestState state = new ManifestState();
  private FileSystem.@Nullable File file;
  private long number;
  private long endOffset;
  private long snapshotBytes;
  private long nextFileNumber;
  private boolean failed;

  private Manifest(FileSystem files, Consumer<? super Exception> fatal) {
    this.files = files;
    this.fatal = fatal;
  }

  /** Reads what there is; damage is a {@link StorageException}. */
  public static Manifest open(FileSystem files, Consumer<? super Exception> fatal)
      throws IOException {
    Manifest manifest = new Manifest(files, fatal);
    manifest.load();
    return manifest;
  }

  private synchronized void load() throws IOException {
    files.createFolders(ManifestFile.FOLDER);
    files.createFolders(LiveFile.FOLDER);
    TreeSet<Long> numbers = new TreeSet<>();
    for (String name : files.list(ManifestFile.FOLDER)) {
      if (name.endsWith(ManifestFile.NEW_NAME_END)) {
        files.delete(ManifestFile.FOLDER + "/" + name);
      } else if (name.endsWith(ManifestFile.NAME_END)) {
        int digits = name.length() - ManifestFile.NAME_END.length();
        numbers.add(Long.parseUnsignedLong(name.substring(0, digits), 16));
      }
    }
    if (!numbers.isEmpty()) {
      number = numbers.last();
      FileSystem.File opened = files.open(ManifestFile.path(number, ManifestFile.NAME_END));
      file = opened;
      endOffset = ManifestFile.read(opened, state::apply);
      snapshotBytes = endOffset;
      for (long older : numbers.headSet(number)) {
        files.delete(ManifestFile.path(older, ManifestFile.NAME_END));
      }
    } else if (files.list(LiveFile.FOLDER).stream().anyMatch(n -> n.endsWith(LiveFile.NAME_END))) {
      throw new StorageException(
          "the folder "
              + LiveFile.FOLDER
              + " has files, but the manifest that tells which of them"
              + " are live is missing; restore the folder "
              + ManifestFile.FOLDER);
    }
    nextFileNumber = state.nextFileNumber();
  }

  /** The live files, by number. */
  public synchronized List<LiveFile> liveFiles() {
    return List.copyOf(state.files());
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
    if (endOffset - snapshotBytes > Math.max(REWRITE_BYTES, REWRITE_FACTOR * snapshotBytes)) {
      rewrite();
    }
    return true;
  }

  /** Something that waits for the disk. */
  private interface Syncing {
    void run() throws IOException;
  }

  private void syncOrFail(Syncing sync) throws IOException {
    try {
      sync.run();
    } catch (IOException e) {
      failed = true;
      fatal.accept(e);
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
    snapshotBytes = endOffset;
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
