package io.helenus.server.process;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.testing.ForwardingFileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A file system that counts its reads and can block them. Thread-safe. */
final class PausableFileSystem extends ForwardingFileSystem {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long permits = Long.MAX_VALUE;
  private long reads;
  private int blocked;

  PausableFileSystem(FileSystem inner) {
    super(inner);
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
  public File create(String path) throws IOException {
    return new PausableFile(super.create(path));
  }

  @Override
  public File open(String path) throws IOException {
    return new PausableFile(super.open(path));
  }

  private final class PausableFile extends ForwardingFile {
    PausableFile(File file) {
      super(file);
    }

    @Override
    public long read(long position, MemorySegment target, long offset, long length)
        throws IOException {
      awaitPermit();
      return super.read(position, target, offset, length);
    }
  }
}
