package io.helenus.server.metadata;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata log of a single node: files in the folder {@code metadata}; the format is described
 * in docs/metadata-log.md.
 *
 * <ol>
 *   <li>{@link #open} reads the newest file on the thread that starts the node.
 *   <li>Proposals are appended and synced one at a time on the I/O executor.
 *   <li>Each is then applied to the state on the scheduler, and followers and the proposer are
 *       notified.
 *   <li>When a file has accumulated enough entries after its snapshot, the next file is started
 *       with a snapshot of the current state, and the older file is deleted.
 * </ol>
 *
 * <p>After a failed write or sync nothing more is written to the file: what follows could not be
 * trusted to be durable. The outcome of that proposal is unknown, and no other is accepted, until
 * {@link #settle} has begun the next file with the state before it and written it there.
 */
public final class LocalMetadataLog implements MetadataLog {
  /** The folder, under the node's data folder. */
  public static final String FOLDER = "metadata";

  /** The maximum number of waiting proposals. */
  private static final int WAITING_LIMIT = 4096;

  private static final int ENTRIES_LIMIT = 256;
  private static final long ENTRY_BYTES_LIMIT = 1 << 20;
  private static final String PREFIX = "metadata-";
  private static final String SUFFIX = ".log";
  private static final String UNFINISHED = ".tmp";

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalMetadataLog.class);

  private record Waiting(Proposal proposal, ProposalCallback callback, boolean settles) {}

  private record Held(long index, Proposal proposal, ClusterState state) {}

  private final FileSystem files;
  private final Executor io;
  private final Executor scheduler;

  /** Scheduler only. */
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** Scheduler only. */
  private final List<Follower> followers = new ArrayList<>();

  /** Entries since the last snapshot; scheduler only. */
  private final List<Held> held = new ArrayList<>();

  /** Scheduler only. */
  private boolean busy;

  /** Scheduler only. */
  private boolean closed;

  /** The proposal whose outcome is unknown; scheduler only. */
  private @Nullable Proposal unsettled;

  /** I/O only, after open. */
  private MetadataFile file;

  /** The greatest number that a file may have; I/O only, after open. */
  private long lastGeneration;

  /** Whether a file must be begun before anything is appended; I/O only, after open. */
  private boolean fileEnded;

  private volatile ClusterState state;

  private LocalMetadataLog(
      FileSystem files, Executor io, Executor scheduler, MetadataFile file, ClusterState state) {
    this.files = files;
    this.io = io;
    this.scheduler = scheduler;
    this.file = file;
    this.lastGeneration = file.generation();
    this.fileEnded = !file.isAppendable();
    this.state = state;
  }

  /**
   * Opens the log, or creates one with this node as the first member. Blocks.
   *
   * @param systemKeyspaces the built-in keyspaces
   * @param identity the configured identity of this node
   * @param randomness for host id and tokens on the first start
   * @param io where files are written; may have several threads
   * @param scheduler where callbacks and followers are called; must have a single thread
   * @throws MetadataException if a file is damaged or cannot be read
   */
  public static LocalMetadataLog open(
      FileSystem files,
      List<KeyspaceSchema> systemKeyspaces,
      NodeIdentity identity,
      Randomness randomness,
      Executor io,
      Executor scheduler) {
    try {
      long newest = newest(files);
      deleteOthers(files, newest);
      return newest < 0
          ? first(files, systemKeyspaces, identity.firstNode(randomness), identity, io, scheduler)
          : reopen(files, systemKeyspaces, identity, io, scheduler, newest);
    } catch (IOException e) {
      throw new MetadataException("cannot open the metadata log: " + e.getMessage(), e);
    }
  }

  private static long newest(FileSystem files) throws IOException {
    long newest = -1;
    for (String name : files.list(FOLDER)) {
      newest = Math.max(newest, generation(name));
    }
    return newest;
  }

  /** Deletes older and unfinished files. */
  private static void deleteOthers(FileSystem files, long generation) throws IOException {
    for (String name : files.list(FOLDER)) {
      long other = generation(name);
      if ((other >= 0 && other != generation) || isUnfinished(name)) {
        files.delete(FOLDER + "/" + name);
      }
    }
  }

  private static LocalMetadataLog first(
      FileSystem files,
      List<KeyspaceSchema> systemKeyspaces,
      ClusterNode node,
      NodeIdentity identity,
      Executor io,
      Executor scheduler)
      throws IOException {
    files.createFolders(FOLDER);
    ClusterState empty = ClusterState.first(systemKeyspaces);
    Proposal joined =
        new Proposal(
            new ProposalId(node.hostId(), 0, 1),
            1,
            new MetadataEntry.NodeJoined(node, identity.clusterName()));
    ClusterState state = empty.apply(1, joined).state();
    MetadataFile file = begin(files, 1, state);
    return new LocalMetadataLog(files, io, scheduler, file, state);
  }

  private static LocalMetadataLog reopen(
      FileSystem files,
      List<KeyspaceSchema> systemKeyspaces,
      NodeIdentity identity,
      Executor io,
      Executor scheduler,
      long generation)
      throws IOException {
    MetadataFile file = MetadataFile.open(files, path(generation, SUFFIX), generation);
    MetadataFile.Contents contents = file.read(systemKeyspaces);
    if (contents.tornBytes() > 0) {
      file.truncateTornTail();
      LOGGER.warn(
          "truncated the incomplete last entry of the metadata log {}, which was never"
              + " acknowledged: {} bytes removed",
          path(generation, SUFFIX),
          contents.tornBytes());
    }
    // The previous run may not have synced its last entries. They take effect from here on, so they
    // must be durable.
    file.sync();
    files.syncFolder(FOLDER);
    LocalMetadataLog log = new LocalMetadataLog(files, io, scheduler, file, contents.snapshot());
    for (Proposal proposal : contents.proposals()) {
      log.apply(proposal);
    }
    identity.requireSame(log.state, log.node());
    return log;
  }

  /**
   * Checks the log of a stopped node without changing it. Blocks.
   *
   * @return the length in bytes of an incomplete, never acknowledged entry at its end; 0 if there
   *     is none
   * @throws MetadataException if it is damaged; the message names file and offset
   */
  public static long check(FileSystem files, List<KeyspaceSchema> systemKeyspaces)
      throws IOException {
    try (MetadataFile file = openNewest(files)) {
      return file.read(systemKeyspaces).tornBytes();
    }
  }

  /** Opens the newest file without changing anything. */
  static MetadataFile openNewest(FileSystem files) throws IOException {
    long newest = newest(files);
    if (newest < 0) {
      throw new MetadataException("no metadata log in the folder " + FOLDER);
    }
    return MetadataFile.open(files, path(newest, SUFFIX), newest);
  }

  /** This node, the only member. */
  public ClusterNode node() {
    return state.nodes().values().iterator().next();
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
    return FOLDER + "/" + PREFIX + generation + suffix;
  }

  /** Writes a file that starts with this state, under a temporary name until it is durable. */
  private static MetadataFile begin(FileSystem files, long generation, ClusterState state)
      throws IOException {
    String unfinished = path(generation, UNFINISHED);
    MetadataFile.create(files, unfinished, generation, state).close();
    files.rename(unfinished, path(generation, SUFFIX));
    files.syncFolder(FOLDER);
    MetadataFile begun = MetadataFile.open(files, path(generation, SUFFIX), generation);
    begun.seekToEnd();
    return begun;
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public void propose(Proposal proposal, ProposalCallback callback) {
    scheduler.execute(
        () -> {
          if (closed || unsettled != null || waiting.size() >= WAITING_LIMIT) {
            callback.notProposed(
                new MetadataException(
                    closed
                        ? "the metadata log is closed"
                        : unsettled != null
                            ? "the outcome of an earlier change is unknown"
                            : "too many changes are waiting for the metadata log"));
            return;
          }
          waiting.add(new Waiting(proposal, callback, false));
          next();
        });
  }

  @Override
  public void settle(Proposal proposal, ProposalCallback callback) {
    scheduler.execute(
        () -> {
          if (closed) {
            callback.unknown(new MetadataException("the metadata log is closed"));
            return;
          }
          waiting.addFirst(new Waiting(proposal, callback, true));
          next();
        });
  }

  private void next() {
    Waiting first = waiting.peek();
    if (busy || first == null) {
      return;
    }
    busy = true;
    waiting.remove();
    ClusterState before = state;
    boolean roll = held.size() >= ENTRIES_LIMIT;
    io.execute(() -> append(first, before, roll));
  }

  private void append(Waiting next, ClusterState before, boolean manyEntries) {
    boolean unknown = next.settles();
    try {
      if (manyEntries || fileEnded || file.entryBytes() > ENTRY_BYTES_LIMIT) {
        roll(before);
      }
      unknown = true;
      file.append(before.index() + 1, next.proposal());
    } catch (IOException | RuntimeException e) {
      fileEnded = true;
      LOGGER.error("cannot write the metadata log", e);
      boolean mayBeWritten = unknown;
      scheduler.execute(() -> failed(next, e, mayBeWritten));
      return;
    }
    scheduler.execute(() -> decide(next));
  }

  /** Begins a file with this state, which holds nothing that may have been written after it. */
  private void roll(ClusterState before) throws IOException {
    fileEnded = true;
    lastGeneration++;
    MetadataFile old = file;
    file = begin(files, lastGeneration, before);
    fileEnded = false;
    try {
      old.close();
      deleteOthers(files, lastGeneration);
    } catch (IOException e) {
      LOGGER.warn("cannot delete an older file of the metadata log; the next start does", e);
    }
    scheduler.execute(() -> held.removeIf(entry -> entry.index() <= before.index()));
  }

  private void failed(Waiting next, Exception cause, boolean unknown) {
    busy = false;
    if (!unknown) {
      next.callback().notProposed(cause);
      next();
      return;
    }
    unsettled = next.proposal();
    next.callback().unknown(cause);
    endWaiting(new MetadataException("the outcome of an earlier change is unknown"));
  }

  private void decide(Waiting decided) {
    Decision decision = apply(decided.proposal());
    for (Follower follower : followers) {
      follower.applied(decision.state().index(), decided.proposal(), decision.state());
    }
    busy = false;
    unsettled = null;
    decided.callback().decided(decision);
    next();
  }

  private Decision apply(Proposal proposal) {
    ClusterState before = state;
    Decision decision = before.apply(before.index() + 1, proposal);
    state = decision.state();
    held.add(new Held(state.index(), proposal, state));
    return decision;
  }

  /** Ends what waits to be written; a settlement that has not begun settles nothing. */
  private void endWaiting(Exception cause) {
    List<Waiting> ended = List.copyOf(waiting);
    waiting.clear();
    for (Waiting each : ended) {
      if (each.settles()) {
        each.callback().unknown(cause);
      } else {
        each.callback().notProposed(cause);
      }
    }
  }

  @Override
  public void readFrom(long afterIndex, Follower follower) {
    scheduler.execute(
        () -> {
          long end = state.index();
          long first = held.isEmpty() ? end + 1 : held.getFirst().index();
          if (afterIndex + 1 < first || afterIndex > end) {
            follower.refused(
                new MetadataException(
                    afterIndex > end
                        ? "the metadata log ends with entry " + end + ", before " + afterIndex
                        : "the metadata log no longer has the entries after "
                            + afterIndex
                            + ": its first is "
                            + first
                            + "; take a snapshot"));
            return;
          }
          for (Held entry : held) {
            if (entry.index() > afterIndex) {
              follower.applied(entry.index(), entry.proposal(), entry.state());
            }
          }
          followers.add(follower);
        });
  }

  @Override
  public byte[] snapshot() {
    ByteWriter out = new ByteWriter(4096);
    new FactWriter(out).snapshot(state);
    return out.toArray();
  }

  @Override
  public Set<UUID> members() {
    return state.nodes().keySet();
  }

  /** Ends the log on the scheduler, after the current write. */
  @Override
  public void close() {
    scheduler.execute(
        () -> {
          if (closed) {
            return;
          }
          closed = true;
          endWaiting(new MetadataException("the metadata log is closed"));
          io.execute(this::closeFile);
        });
  }

  private void closeFile() {
    try {
      file.close();
    } catch (IOException e) {
      LOGGER.warn("cannot close the metadata log", e);
    }
  }
}
