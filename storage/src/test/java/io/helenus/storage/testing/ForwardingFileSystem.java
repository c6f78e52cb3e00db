package io.helenus.storage.testing;

import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A file system that delegates to another one, for subclasses that change some of it. */
public class ForwardingFileSystem implements FileSystem {
  private final FileSystem inner;

  /** Delegates to this file system. */
  public ForwardingFileSystem(FileSystem inner) {
    this.inner = inner;
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
    return inner.create(path);
  }

  @Override
  public File createPrivate(String path) throws IOException {
    return inner.createPrivate(path);
  }

  @Override
  public void link(String existing, String path) throws IOException {
    inner.link(existing, path);
  }

  @Override
  public void deleteFolder(String path) throws IOException {
    inner.deleteFolder(path);
  }

  @Override
  public File open(String path) throws IOException {
    return inner.open(path);
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
  public Lock lock(String path) throws IOException {
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

  /** A file that delegates to another one. */
  public static class ForwardingFile implements File {
    private final File file;

    /** Delegates to this file. */
    public ForwardingFile(File file) {
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
