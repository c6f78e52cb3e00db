package io.helenus.storage.job;

import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A file whose failed sync stops the node. */
record WatchedFile(JobContext context, FileSystem.File file) implements FileSystem.File {
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
  public MemorySegment map(Arena arena) throws IOException {
    return file.map(arena);
  }

  @Override
  public void sync() throws IOException {
    try {
      file.sync();
    } catch (IOException e) {
      context.fatal(e);
      throw e;
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
