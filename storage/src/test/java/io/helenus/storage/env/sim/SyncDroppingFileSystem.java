package io.helenus.storage.env.sim;

import io.helenus.storage.env.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;

/**
 * A planted bug: the files whose path is chosen are never synced, although their callers believe
 * so. Shows that the simulation notices.
 */
public final class SyncDroppingFileSystem implements FileSystem {
  private final FileSystem inner;
  private final Predicate<String> dropped;

  /** Drops the syncs of chosen files of another file system. */
  public SyncDroppingFileSystem(FileSystem inner, Predicate<String> dropped) {
    this.inner = inner;
    this.dropped = dropped;
  }

  private File wrap(File file) {
    return dropped.test(file.path()) ? new Unsynced(file) : file;
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
    inner.delete(path);
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

  private record Unsynced(File file) implements File {
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
    public void sync() {
      // the planted bug
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
