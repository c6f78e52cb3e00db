package io.helenus.server.metadata;

import io.helenus.server.consensus.RegisterState;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a node's metadata log, of which the newest is written; the format is described in
 * docs/metadata-log.md. Blocks; one thread at a time.
 *
 * <p>After a failed write or sync nothing more is written to the file: what follows could not be
 * trusted to be durable. The next file is begun instead.
 */
final class MetadataFiles {
  private static final long ENTRY_BYTES_LIMIT = 1 << 20;
  private static final String PREFIX = "metadata-";
  private static final String SUFFIX = ".log";
  private static final String UNFINISHED = ".tmp";

  private static final Logger LOGGER = LoggerFactory.getLogger(MetadataFiles.class);

  private final FileSystem files;
  private final UUID hostId;
  private MetadataFile file;

  /** The greatest number that a file may have. */
  private long lastGeneration;

  /** Whether a file must be begun before anything is appended. */
  private boolean ended;

  /** Goes on writing a file that was read, or the one after it. */
  MetadataFiles(FileSystem files, UUID hostId, MetadataFile file) {
    this.files = files;
    this.hostId = hostId;
    this.file = file;
    this.lastGeneration = file.generation();
    this.ended = !file.isAppendable();
  }

  /** The number of the newest file; -1 if there is none. */
  static long newest(FileSystem files) throws IOException {
    long newest = -1;
    for (String name : files.list(LocalMetadataLog.FOLDER)) {
      newest = Math.max(newest, generation(name));
    }
    return newest;
  }

  /** Deletes older and unfinished files. */
  static void deleteOthers(FileSystem files, long generation) throws IOException {
    for (String name : files.list(LocalMetadataLog.FOLDER)) {
      long other = generation(name);
      if ((other >= 0 && other != generation) || isUnfinished(name)) {
        files.delete(LocalMetadataLog.FOLDER + "/" + name);
      }
    }
  }

  /** Opens the newest file without changing anything. */
  static MetadataFile openNewest(FileSystem files) throws IOException {
    long newest = newest(files);
    if (newest < 0) {
      throw new MetadataException("no metadata log in the folder " + LocalMetadataLog.FOLDER);
    }
    return MetadataFile.open(files, path(newest, SUFFIX), newest);
  }

  /** Reads a file, cuts off what was never acknowledged, and makes the rest durable. */
  static MetadataFile.Contents recover(
      FileSystem files, MetadataFile file, List<KeyspaceSchema> systemKeyspaces)
      throws IOException {
    MetadataFile.Contents contents = file.read(systemKeyspaces);
    if (contents.tornBytes() > 0) {
      file.truncateTornTail();
      LOGGER.warn(
          "truncated the incomplete last entry of the metadata log {}, which was never"
              + " acknowledged: {} bytes removed",
          file.path(),
          contents.tornBytes());
    }
    // The previous run may not have synced its last entries. They take effect from here on, so they
    // must be durable.
    file.sync();
    files.syncFolder(LocalMetadataLog.FOLDER);
    return contents;
  }

  private static long generation(String name) {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) {
      return -1;
    }
    String digits = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static boolean isUnfinished(String name) {
    return name.startsWith(PREFIX) && name.endsWith(UNFINISHED);
  }

  private static String path(long generation, String suffix) {
    return LocalMetadataLog.FOLDER + "/" + PREFIX + generation + suffix;
  }

  /** Writes a file that starts with this state, under a temporary name until it is durable. */
  static MetadataFile begin(
      FileSystem files, long generation, ClusterState state, UUID hostId, RegisterState register)
      throws IOException {
    String unfinished = path(generation, UNFINISHED);
    MetadataFile.create(files, unfinished, generation, state, hostId, register).close();
    files.rename(unfinished, path(generation, SUFFIX));
    files.syncFolder(LocalMetadataLog.FOLDER);
    MetadataFile begun = MetadataFile.open(files, path(generation, SUFFIX), generation);
    begun.seekToEnd();
    return begun;
  }

  /** Whether a file is to be begun before the next record. */
  boolean isFull() {
    return ended || file.entryBytes() > ENTRY_BYTES_LIMIT;
  }

  /**
   * Begins a file with this state, which holds nothing that may have been written after it but the
   * vote on the next entry.
   */
  void roll(ClusterState before, RegisterState register) throws IOException {
    ended = true;
    lastGeneration++;
    MetadataFile old = file;
    file = begin(files, lastGeneration, before, hostId, register);
    ended = false;
    try {
      old.close();
      deleteOthers(files, lastGeneration);
    } catch (IOException e) {
      LOGGER.warn("cannot delete an older file of the metadata log; the next start does", e);
    }
  }

  /** Appends an entry, durably. */
  void append(long index, Proposal proposal) throws IOException {
    ended = true; // unless it succeeds
    file.append(index, proposal);
    ended = false;
  }

  /** Appends what this node has promised and accepted, durably. */
  void appendVote(long slot, RegisterState register) throws IOException {
    ended = true; // unless it succeeds
    file.appendVote(slot, register);
    ended = false;
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOGGER.warn("cannot close the metadata log", e);
    }
  }
}
