package io.helenus.storage.env;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Files. Paths are relative to the node's data folder, with {@code /} between names. What is not
 * synced may be lost when the machine stops; what was written survives the process. Never called on
 * a shard, except for the commit log's one write a tick. Failures are {@link IOException}s that
 * name the file; a full disk is a {@link DiskFullException}.
 */
public interface FileSystem {
  /** A file open for reading and writing by position. Any thread; positions are bytes. */
  interface File extends Closeable {
    /** The path it was opened with. */
    String path();

    /** Its size in bytes. */
    long size() throws IOException;

    /** Writes the whole slice at a position. */
    void write(long position, MemorySegment source, long offset, long length) throws IOException;

    /** Reads up to {@code length} bytes; returns how many, less only at the end of the file. */
    long read(long position, MemorySegment target, long offset, long length) throws IOException;

    /**
     * Makes all that was written durable. A failure is final: nothing of this file can be trusted
     * as synced.
     */
    void sync() throws IOException;

    /** Cuts the file, or extends it by zeros. */
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Makes a folder and its parents. */
  void createFolders(String path) throws IOException;

  /** The names in a folder, in no order; empty if there is no such folder. */
  List<String> list(String folder) throws IOException;

  /** Whether there is a file or folder. */
  boolean exists(String path);

  /** Makes a new, empty file; an existing one is an error. */
  File create(String path) throws IOException;

  /** Opens a file for reading and writing. */
  File open(String path) throws IOException;

  /** Renames a file, replacing the target, atomically. Durable after {@link #syncFolder}. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file. Durable after {@link #syncFolder}. */
  void delete(String path) throws IOException;

  /** Makes creations, renames and deletions in a folder durable. */
  void syncFolder(String folder) throws IOException;

  /** Takes an exclusive lock that ends with the process; fails at once where another holds it. */
  Closeable lock(String path) throws IOException;

  /** Bytes that can still be written. */
  long usableBytes() throws IOException;

  /**
   * Names this run of the machine, at most 16 bytes: as long as it stays the same, nothing that was
   * written has been forgotten. Empty where that cannot be known.
   */
  byte[] machineRun();
}
