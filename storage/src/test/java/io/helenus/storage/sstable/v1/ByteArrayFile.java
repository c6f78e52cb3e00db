package io.helenus.storage.sstable.v1;

import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A file in memory, whose reads can be made to fail. */
final class ByteArrayFile implements FileSystem.File {
  private byte[] bytes;
  private int size;
  boolean failing;

  ByteArrayFile() {
    this(new byte[0]);
  }

  ByteArrayFile(byte[] contents) {
    bytes = contents.clone();
    size = contents.length;
  }

  byte[] contents() {
    return Arrays.copyOf(bytes, size);
  }

  @Override
  public String path() {
    return "data/7-1.sst";
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
  public long read(long position, MemorySegment target, long offset, long length)
      throws IOException {
    if (failing) {
      throw new IOException("Input/output error");
    }
    int count = (int) Math.max(0, Math.min(length, size - position));
    if (count > 0) {
      MemorySegment.copy(bytes, (int) position, target, ValueLayout.JAVA_BYTE, offset, count);
    }
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
