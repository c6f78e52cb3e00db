package io.helenus.storage.read;

import io.helenus.storage.env.FileSystem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A file in memory. */
final class MemoryFile implements FileSystem.File {
  private final String path;
  private byte[] bytes = new byte[1024];
  private int size;
  int reads;

  MemoryFile(String path) {
    this.path = path;
  }

  MemoryFile(String path, byte[] contents) {
    this.path = path;
    bytes = contents.clone();
    size = contents.length;
  }

  /** Flips a byte. */
  void damage(int at) {
    bytes[at] ^= 0x10;
  }

  byte[] contents() {
    return Arrays.copyOf(bytes, size);
  }

  @Override
  public String path() {
    return path;
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
    reads++;
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
