package io.helenus.storage.env.sim;

import io.helenus.storage.env.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;

/**
 * A file system with a planted bug: operations on some files silently have no effect. Used to check
 * that a simulation detects it.
 */
public final class FileSystemBug implements FileSystem {
  private enum Bug {
    NO_SYNC,
    SYNC_ERRORS_IGNORED,
    NO_DELETE
  }

  private final FileSystem inner;
  private final Bug bug;
  private final Predicate<String> affected;

  private FileSystemBug(FileSystem inner, Bug bug, Predicate<String> affected) {
    this.inner = inner;
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
  public void createFolders(String path) throws IOException {
    inner.createFolders(path);
  }

  @Override
  public List<String> list(String folder) throws IOException {
    return inner.list(folder);
  }

  @Override
  public boolean exists(String path) {
    return inner.exists(path);
  }

  @Override
  public File create(String path) throws IOException {
    return wrap(inner.create(path));
  }

  @Override
  public File open(String path) throws IOException {
    return wrap(inner.open(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    inner.rename(from, to);
  }

  @Override
  public void delete(String path) throws IOException {
    if (bug != Bug.NO_DELETE || !affected.test(path)) {
      inner.delete(path);
    }
  }

  @Override
  public void syncFolder(String folder) throws IOException {
    inner.syncFolder(folder);
  }

  @Override
  public Closeable lock(String path) throws IOException {
    return inner.lock(path);
  }

  @Override
  public long usableBytes() throws IOException {
    return inner.usableBytes();
  }

  @Override
  public byte[] bootId() {
    return inner.bootId();
  }

  private record BuggyFile(File file, Bug bug) implements File {
    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void write(long position, MemorySegment source, long offset, long length)
        throws IOException {
      file.write(position, source, offset, length);
    }

    @Override
    public long read(long position, MemorySegment target, long offset, long length)
        throws IOException {
      return file.read(position, target, offset, length);
    }

    @Override
    public void sync() throws IOException {
      if (bug == Bug.NO_SYNC) {
        return;
      }
      try {
        file.sync();
      } catch (IOException e) {
        if (bug != Bug.SYNC_ERRORS_IGNORED) {
          throw e;
        }
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
