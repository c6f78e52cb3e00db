package io.helenus.bench;

import io.helenus.storage.env.FileSystem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A file backed by an array, so that a benchmark does not depend on a disk. */
final class InMemoryFile implements FileSystem.File {
  private byte[] bytes = new byte[1 << 20];
  private int size;

  @Override
  public String path() {
    return "memory";
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void write(long position, MemorySegment source, long offset, long length) {
    int end = (int) (position + length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, (int) position, (int) length);
    size = Math.max(size, end);
  }

  @Override
  public long read(long position, MemorySegment target, long offset, long length) {
    int count = (int) Math.max(0, Math.min(length, size - position));
    MemorySegment.copy(bytes, (int) position, target, ValueLayout.JAVA_BYTE, offset, count);
    return count;
  }

  @Override
  public void sync() {}

  @Override
  public void truncate(long newSize) {
    size = (int) newSize;
  }

  @Override
  public void close() {}
}
