package io.helenus.storage.env;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** An open file of the operating system. Any thread. */
final class DiskFile implements FileSystem.File {
  private final String path;
  private final FileChannel channel;

  DiskFile(String path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void write(long position, MemorySegment source, long offset, long length)
      throws IOException {
    ByteBuffer buffer = source.asSlice(offset, length).asByteBuffer();
    long at = position;
    try {
      while (buffer.hasRemaining()) {
        at += channel.write(buffer, at);
      }
    } catch (IOException e) {
      throw named(path, "written at " + at, e);
    }
  }

  @Override
  public long read(long position, MemorySegment target, long offset, long length)
      throws IOException {
    ByteBuffer buffer = target.asSlice(offset, length).asByteBuffer();
    long at = position;
    try {
      while (buffer.hasRemaining()) {
        int count = channel.read(buffer, at);
        if (count < 0) {
          break;
        }
        at += count;
      }
    } catch (IOException e) {
      throw named(path, "read at " + at, e);
    }
    return at - position;
  }

  @Override
  public MemorySegment map(Arena arena) throws IOException {
    try {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (IOException e) {
      throw named(path, "mapped into memory", e);
    }
  }

  @Override
  public void sync() throws IOException {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw named(path, "synced", e);
    }
  }

  @Override
  public void truncate(long size) throws IOException {
    long now = channel.size();
    if (size < now) {
      channel.truncate(size);
    } else if (size > now) {
      try {
        channel.write(ByteBuffer.allocate(1), size - 1);
      } catch (IOException e) {
        throw named(path, "extended", e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** A readable reason; the message of some exceptions is only the path. */
  private static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof FileAlreadyExistsException) {
      return "a file or folder of this name exists";
    }
    if (cause instanceof FileSystemException it && it.getReason() != null) {
      return it.getReason();
    }
    return String.valueOf(cause.getMessage());
  }

  /** Adds the file's name to a failure; a full disk becomes a {@link DiskFullException}. */
  static IOException named(String path, String action, IOException cause) {
    String reason = reason(cause);
    String message = path + " cannot be " + action + ": " + reason;
    String lower = reason.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return new DiskFullException(message, cause);
    }
    return new IOException(message, cause);
  }
}
