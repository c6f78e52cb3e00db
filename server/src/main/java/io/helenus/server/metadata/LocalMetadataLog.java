package io.helenus.server.metadata;

import io.helenus.server.metadata.ClusterState.Applied;
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
 * <p>A failed write or sync ends the log: nothing written afterwards could be trusted to be
 * durable, so all later proposals fail until the node is restarted.
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

  private record Waiting(Proposal proposal, ProposalCallback callback) {}

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

  /** I/O only, after open. */
  private MetadataFile file;

  private volatile ClusterState state;
  private volatile boolean failed;

  private LocalMetadataLog(
      FileSystem files, Executor io, Executor scheduler, MetadataFile file, ClusterState state) {
    this.files = files;
    this.io = io;
    this.scheduler = scheduler;
    this.file = file;
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
      long newest = -1;
      List<String> others = new ArrayList<>();
      for (String name : files.list(FOLDER)) {
        long generation = generation(name);
        if (generation > newest) {
          if (newest >= 0) {
            others.add(path(newest, SUFFIX));
          }
          newest = generation;
        } else if (generation >= 0 || isUnfinished(name)) {
          others.add(FOLDER + "/" + name);
        }
      }
      for (String other : others) {
        files.delete(other);
      }
      return newest < 0
          ? first(files, systemKeyspaces, identity.firstNode(randomness), identity, io, scheduler)
          : reopen(files, systemKeyspaces, identity, io, scheduler, newest);
    } catch (IOException e) {
      throw new MetadataException("cannot open the metadata log: " + e.getMessage(), e);
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
            node.hostId(), 1, -1, new MetadataEntry.NodeJoined(node, identity.clusterName()));
    ClusterState state = empty.apply(1, joined, encode(joined.entry())).state();
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
    long newest = -1;
    for (String name : files.list(FOLDER)) {
      newest = Math.max(newest, generation(name));
    }
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
          if (closed || failed || waiting.size() >= WAITING_LIMIT) {
            callback.failed(
                new MetadataException(
                    closed
                        ? "the metadata log is closed"
                        : failed
                            ? "a write to the metadata log has failed; restart the node"
                            : "too many changes are waiting for the metadata log"));
            return;
          }
          waiting.add(new Waiting(proposal, callback));
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
    try {
      if (manyEntries || file.entryBytes() > ENTRY_BYTES_LIMIT) {
        roll(before);
      }
      file.append(before.index() + 1, next.proposal());
    } catch (IOException | RuntimeException e) {
      failed = true;
      LOGGER.error(
          "cannot write the metadata log; schema changes fail until the node is restarted", e);
      scheduler.execute(
          () -> {
            busy = false;
            next.callback().failed(e);
            failWaiting(e);
          });
      return;
    }
    scheduler.execute(() -> decide(next));
  }

  private void roll(ClusterState before) throws IOException {
    MetadataFile old = file;
    file = begin(files, old.generation() + 1, before);
    old.close();
    files.delete(path(old.generation(), SUFFIX));
    scheduler.execute(() -> held.removeIf(entry -> entry.index() <= before.index()));
  }

  private void decide(Waiting decided) {
    Applied applied = apply(decided.proposal());
    for (Follower follower : followers) {
      follower.applied(applied.state().index(), decided.proposal(), applied.state());
    }
    busy = false;
    decided.callback().decided(applied.outcome(), applied.state());
    next();
  }

  private Applied apply(Proposal proposal) {
    ClusterState before = state;
    Applied applied = before.apply(before.index() + 1, proposal, encode(proposal.entry()));
    state = applied.state();
    held.add(new Held(applied.state().index(), proposal, applied.state()));
    return applied;
  }

  static ByteWriter encode(MetadataEntry entry) {
    ByteWriter bytes = new ByteWriter(512);
    new FactWriter(bytes).entry(entry);
    return bytes;
  }

  private void failWaiting(Exception cause) {
    while (!waiting.isEmpty()) {
      waiting.remove().callback().failed(cause);
    }
  }

  @Override
  public void readFrom(long afterIndex, Follower follower) {
    scheduler.execute(
        () -> {
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
          failWaiting(new MetadataException("the metadata log is closed"));
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
