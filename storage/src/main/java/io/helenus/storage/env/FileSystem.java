package io.helenus.storage.env;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The file system below the node's data folder. Paths are relative, with {@code /} as separator.
 * Written data survives the end of the process; only synced data survives a power failure. Methods
 * block: a shard calls none, except for the commit log's one write per tick. Failures are {@link
 * IOException}s that name the file; a full disk is a {@link DiskFullException}.
 */
public interface FileSystem {
  /** A file open for reading and writing by position. Any thread; positions are bytes. */
  interface File extends Closeable {
    /** Where it is, for messages: on a disk not the path it was opened with. */
    String path();

    /** Its size in bytes. */
    long size() throws IOException;

    /** Writes the whole slice at a position. */
    void write(long position, MemorySegment source, long offset, long length) throws IOException;

    /** Reads {@code length} bytes, or fewer at the end of the file; returns how many. */
    long read(long position, MemorySegment target, long offset, long length) throws IOException;

    /**
     * The contents of a file that does not change any more, for reading until the arena is closed:
     * mapped into memory where that is possible, else read. Memory that is mapped belongs to the
     * system's page cache; a failure to read it raises an {@link InternalError}.
     */
    default MemorySegment map(Arena arena) throws IOException {
      MemorySegment contents = arena.allocate(size());
      long length = read(0, contents, 0, contents.byteSize());
      return contents.asSlice(0, length).asReadOnly();
    }

    /**
     * Makes everything written so far durable. After a failure nothing in this file may be assumed
     * durable, even if a later sync succeeds.
     */
    void sync() throws IOException;

    /** Truncates the file, or extends it with zeros. */
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Creates a folder and its parents. */
  void createFolders(String path) throws IOException;

  /**
   * The names of the files and folders in a folder, in no particular order; empty if the folder
   * does not exist.
   */
  List<String> list(String folder) throws IOException;

  /** Whether a file or folder exists. */
  boolean exists(String path);

  /** Creates an empty file; fails if it exists. */
  File create(String path) throws IOException;

  /** Creates an empty file that only the user of this process may read; fails if it exists. */
  File createPrivate(String path) throws IOException;

  /**
   * Adds a second path to a file, whose contents remain until the last path is deleted; fails if
   * the new path exists. Durable after {@link #syncFolder}.
   */
  void link(String existing, String path) throws IOException;

  /** Opens a file for reading and writing. */
  File open(String path) throws IOException;

  /** Renames a file atomically, replacing the target. Durable after {@link #syncFolder}. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file. Durable after {@link #syncFolder}. */
  void delete(String path) throws IOException;

  /** Deletes an empty folder. */
  void deleteFolder(String path) throws IOException;

  /** Makes creations, links, renames and deletions in a folder durable. */
  void syncFolder(String folder) throws IOException;

  /**
   * Takes an exclusive lock, released when the process ends; fails at once if it is held elsewhere.
   */
  Lock lock(String path) throws IOException;

  /** A lock that is held until it is closed. */
  interface Lock extends Closeable {
    /** Writes the id of this process into the locked file, for whoever looks for its holder. */
    void recordProcess() throws IOException;
  }

  /** Free space in bytes. */
  long usableBytes() throws IOException;

  /**
   * Identifies the current boot of the machine in at most 16 bytes: as long as it is unchanged, no
   * write can have been lost. Empty if unknown.
   */
  byte[] bootId();
}
