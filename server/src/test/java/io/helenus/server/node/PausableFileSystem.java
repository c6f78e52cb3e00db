package io.helenus.server.node;

import io.helenus.storage.env.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A file system that counts its reads and can block them. Thread-safe. */
final class PausableFileSystem implements FileSystem {
  private final FileSystem inner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long permits = Long.MAX_VALUE;
  private long reads;
  private int blocked;

  PausableFileSystem(FileSystem inner) {
    this.inner = inner;
  }

  /** Allows this many reads from now on; further ones block. */
  void allowReads(long count) {
    lock.lock();
    try {
      permits = count;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of reads that were not blocked, or no longer are. */
  long reads() {
    lock.lock();
    try {
      return reads;
    } finally {
      lock.unlock();
    }
  }

  /** The number of blocked reads. */
  int blockedReads() {
    lock.lock();
    try {
      return blocked;
    } finally {
      lock.unlock();
    }
  }

  private void awaitPermit() {
    lock.lock();
    try {
      blocked++;
      while (permits == 0) {
        changed.awaitUninterruptibly();
      }
      blocked--;
      permits--;
      reads++;
    } finally {
      lock.unlock();
    }
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
    return new PausableFile(inner.create(path));
  }

  @Override
  public File open(String path) throws IOException {
    return new PausableFile(inner.open(path));
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

  private final class PausableFile implements File {
    private final File file;

    PausableFile(File file) {
      this.file = file;
    }

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
      awaitPermit();
      return file.read(position, target, offset, length);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
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
