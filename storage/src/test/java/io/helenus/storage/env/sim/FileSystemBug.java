package io.helenus.storage.env.sim;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.testing.ForwardingFileSystem;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A file system with a planted bug: operations on some files silently have no effect. Used to check
 * that a simulation detects it.
 */
public final class FileSystemBug extends ForwardingFileSystem {
  private enum Bug {
    NO_SYNC,
    SYNC_ERRORS_IGNORED,
    NO_DELETE
  }

  private final Bug bug;
  private final Predicate<String> affected;

  private FileSystemBug(FileSystem inner, Bug bug, Predicate<String> affected) {
    super(inner);
    this.bug = bug;
    this.affected = affected;
  }

  /** Matching files are never synced. */
  public static FileSystem dropSyncs(FileSystem inner, Predicate<String> affected) {
    return new FileSystemBug(inner, Bug.NO_SYNC, affected);
  }

  /** Failed syncs of matching files are reported as successful. */
  public static FileSystem ignoreSyncErrors(FileSystem inner, Predicate<String> affected) {
    return new FileSystemBug(inner, Bug.SYNC_ERRORS_IGNORED, affected);
  }

  /** Matching files are not deleted. */
  public static FileSystem dropDeletes(FileSystem inner, Predicate<String> affected) {
    return new FileSystemBug(inner, Bug.NO_DELETE, affected);
  }

  private File wrap(File file) {
    return affected.test(file.path()) ? new BuggyFile(file, bug) : file;
  }

  @Override
  public File create(String path) throws IOException {
    return wrap(super.create(path));
  }

  @Override
  public File open(String path) throws IOException {
    return wrap(super.open(path));
  }

  @Override
  public void delete(String path) throws IOException {
    if (bug != Bug.NO_DELETE || !affected.test(path)) {
      super.delete(path);
    }
  }

  private static final class BuggyFile extends ForwardingFile {
    private final Bug bug;

    BuggyFile(File file, Bug bug) {
      super(file);
      this.bug = bug;
    }

    @Override
    public void sync() throws IOException {
      if (bug == Bug.NO_SYNC) {
        return;
      }
      try {
        super.sync();
      } catch (IOException e) {
        if (bug != Bug.SYNC_ERRORS_IGNORED) {
          throw e;
        }
      }
    }
  }
}
