package io.helenus.server.metadata;

import io.helenus.server.consensus.RegisterState;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's own copy of the metadata log: files in the folder {@code metadata}; the format is
 * described in docs/metadata-log.md. It writes what it is told to, as the only node of a cluster
 * does; {@link ReplicatedMetadataLog} has the voters decide before.
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
 * <p>After a failed write or sync of an entry its outcome is unknown, and no other is accepted,
 * until {@link #settle} has begun the next file with the state before it and written it there.
 */
public final class LocalMetadataLog implements MetadataLog {
  /** The folder, under the node's data folder. */
  public static final String FOLDER = "metadata";

  /** The maximum number of waiting proposals. */
  private static final int WAITING_LIMIT = 4096;

  private static final int ENTRIES_LIMIT = 256;

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalMetadataLog.class);

  /** What waits to be written. */
  private sealed interface Work {}

  private record Append(Proposal proposal, ProposalCallback callback, boolean settles)
      implements Work {}

  private record Vote(long slot, RegisterState register, Runnable durable) implements Work {}

  private record Install(ClusterState snapshot, ProposalCallback callback) implements Work {}

  private final Executor io;
  private final Executor scheduler;
  private final UUID hostId;

  /** I/O only, after open. */
  private final MetadataFiles files;

  /** Scheduler only. */
  private final ArrayDeque<Work> waiting = new ArrayDeque<>();

  /** Scheduler only. */
  private final RetainedEntries retained = new RetainedEntries();

  /** What was promised and accepted for the next slot, durable or about to be; scheduler only. */
  private RegisterState register = RegisterState.EMPTY;

  /** The same, if it is durable; else an earlier one. Scheduler only. */
  private RegisterState durableRegister = RegisterState.EMPTY;

  /** Scheduler only. */
  private boolean busy;

  /** Scheduler only. */
  private boolean closed;

  /** The proposal whose outcome is unknown; scheduler only. */
  private @Nullable Proposal unsettled;

  private volatile ClusterState state;

  private LocalMetadataLog(
      FileSystem files,
      Executor io,
      Executor scheduler,
      UUID hostId,
      MetadataFile file,
      ClusterState state) {
    this.io = io;
    this.scheduler = scheduler;
    this.hostId = hostId;
    this.files = new MetadataFiles(files, hostId, file);
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
    if (!isEmpty(files)) {
      return reopen(files, systemKeyspaces, identity, io, scheduler);
    }
    UUID hostId = NodeIdentity.newHostId(randomness);
    ClusterState empty = ClusterState.first(systemKeyspaces);
    Proposal founding = identity.founding(hostId, randomness);
    ClusterState founded = empty.apply(1, founding).state();
    return create(files, hostId, founded, io, scheduler);
  }

  /**
   * Opens the log, or creates an empty one, which has a host id but no entry: the node waits to
   * join a cluster, or to be told to found one. Blocks. Parameters as of {@link #open}.
   *
   * @throws MetadataException if a file is damaged or cannot be read
   */
  public static LocalMetadataLog openUnfounded(
      FileSystem files,
      List<KeyspaceSchema> systemKeyspaces,
      NodeIdentity identity,
      Randomness randomness,
      Executor io,
      Executor scheduler) {
    if (!isEmpty(files)) {
      return reopen(files, systemKeyspaces, identity, io, scheduler);
    }
    UUID hostId = NodeIdentity.newHostId(randomness);
    return create(files, hostId, ClusterState.first(systemKeyspaces), io, scheduler);
  }

  private static boolean isEmpty(FileSystem files) {
    try {
      long newest = MetadataFiles.newest(files);
      MetadataFiles.deleteOthers(files, newest);
      return newest < 0;
    } catch (IOException e) {
      throw MetadataException.cannotOpen(e);
    }
  }

  private static LocalMetadataLog create(
      FileSystem files, UUID hostId, ClusterState state, Executor io, Executor scheduler) {
    try {
      files.createFolders(FOLDER);
      MetadataFile file = MetadataFiles.begin(files, 1, state, hostId, RegisterState.EMPTY);
      return new LocalMetadataLog(files, io, scheduler, hostId, file, state);
    } catch (IOException e) {
      throw MetadataException.cannotOpen(e);
    }
  }

  private static LocalMetadataLog reopen(
      FileSystem files,
      List<KeyspaceSchema> systemKeyspaces,
      NodeIdentity identity,
      Executor io,
      Executor scheduler) {
    try {
      MetadataFile file = MetadataFiles.openNewest(files);
      MetadataFile.Contents contents = MetadataFiles.recover(files, file, systemKeyspaces);
      LocalMetadataLog log =
          new LocalMetadataLog(files, io, scheduler, contents.owner(), file, contents.snapshot());
      for (Proposal proposal : contents.proposals()) {
        log.apply(proposal);
      }
      log.register = contents.register();
      log.durableRegister = log.register;
      identity.requireSame(log.state, log.state.node(log.hostId));
      return log;
    } catch (IOException e) {
      throw MetadataException.cannotOpen(e);
    }
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
    try (MetadataFile file = MetadataFiles.openNewest(files)) {
      return file.read(systemKeyspaces).tornBytes();
    }
  }

  /** The host id of this node, which is that of a member once it has founded or joined. */
  public UUID hostId() {
    return hostId;
  }

  /**
   * This node.
   *
   * @throws IllegalStateException if it is not a member yet
   */
  public ClusterNode node() {
    ClusterNode node = state.node(hostId);
    if (node == null) {
      throw new IllegalStateException("this node is not a member: " + hostId);
    }
    return node;
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
          waiting.add(new Append(proposal, callback, false));
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
          waiting.addFirst(new Append(proposal, callback, true));
          next();
        });
  }

  /** What was promised and accepted for the next slot, durable or about to be. Scheduler only. */
  RegisterState register() {
    return register;
  }

  /**
   * Keeps what is promised and accepted for the next slot. Scheduler only.
   *
   * @param durable called when it is durable; never, if the slot is decided before or the write
   *     fails
   */
  void vote(RegisterState next, Runnable durable) {
    if (next == durableRegister) {
      durable.run();
      return;
    }
    register = next;
    waiting.add(new Vote(state.index() + 1, next, durable));
    next();
  }

  /**
   * Replaces the log by the state of a later entry, unless it has that entry already. The callback
   * receives the state as of then; followers are told that entries are missing.
   */
  void install(ClusterState snapshot, ProposalCallback callback) {
    scheduler.execute(
        () -> {
          if (closed) {
            callback.notProposed(new MetadataException("the metadata log is closed"));
            return;
          }
          waiting.add(new Install(snapshot, callback));
          next();
        });
  }

  private void next() {
    Work first = waiting.peek();
    if (busy || first == null) {
      return;
    }
    waiting.remove();
    ClusterState before = state;
    boolean many = retained.size() >= ENTRIES_LIMIT;
    RegisterState open = register;
    switch (first) {
      case Append append -> {
        busy = true;
        io.execute(() -> append(append, before, open, many));
      }
      case Vote vote -> {
        if (vote.slot != before.index() + 1 || unsettled != null || closed) {
          next();
          return;
        }
        busy = true;
        io.execute(() -> write(vote, before, many));
      }
      case Install install -> {
        if (install.snapshot.index() <= before.index()) {
          install.callback.decided(new Decision(Outcome.APPLIED, null, before));
          next();
          return;
        }
        busy = true;
        io.execute(() -> write(install));
      }
    }
  }

  private void append(Append next, ClusterState before, RegisterState open, boolean many) {
    boolean unknown = next.settles();
    try {
      if (many || files.isFull()) {
        roll(before, open);
      }
      unknown = true;
      files.append(before.index() + 1, next.proposal());
    } catch (IOException | RuntimeException e) {
      LOGGER.error("cannot write the metadata log", e);
      boolean mayBeWritten = unknown;
      scheduler.execute(() -> failed(next, e, mayBeWritten));
      return;
    }
    scheduler.execute(() -> decide(next));
  }

  private void roll(ClusterState before, RegisterState open) throws IOException {
    files.roll(before, open);
    scheduler.execute(() -> retained.rollOff(before.index()));
  }

  private void write(Vote vote, ClusterState before, boolean many) {
    try {
      if (many || files.isFull()) {
        roll(before, vote.register);
      } else {
        files.appendVote(vote.slot, vote.register);
      }
    } catch (IOException | RuntimeException e) {
      LOGGER.error("cannot write a vote to the metadata log", e);
      scheduler.execute(this::written);
      return;
    }
    scheduler.execute(
        () -> {
          if (register == vote.register) {
            durableRegister = register;
          }
          vote.durable.run();
          written();
        });
  }

  private void written() {
    busy = false;
    next();
  }

  private void write(Install install) {
    try {
      files.roll(install.snapshot, RegisterState.EMPTY);
    } catch (IOException | RuntimeException e) {
      LOGGER.error("cannot write a snapshot of the metadata log", e);
      scheduler.execute(
          () -> {
            install.callback.notProposed(e);
            written();
          });
      return;
    }
    scheduler.execute(() -> installed(install));
  }

  private void installed(Install install) {
    state = install.snapshot;
    register = RegisterState.EMPTY;
    durableRegister = RegisterState.EMPTY;
    retained.replace(state);
    busy = false;
    unsettled = null;
    install.callback.decided(new Decision(Outcome.APPLIED, null, state));
    next();
  }

  private void failed(Append next, Exception cause, boolean unknown) {
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

  private void decide(Append decided) {
    Decision decision = apply(decided.proposal());
    retained.tellLast();
    busy = false;
    unsettled = null;
    decided.callback().decided(decision);
    next();
  }

  private Decision apply(Proposal proposal) {
    ClusterState before = state;
    Decision decision = before.apply(before.index() + 1, proposal);
    state = decision.state();
    register = RegisterState.EMPTY;
    durableRegister = RegisterState.EMPTY;
    retained.add(proposal, state);
    return decision;
  }

  /** Ends what waits to be written; a settlement that has not begun settles nothing. */
  private void endWaiting(Exception cause) {
    List<Work> ended = List.copyOf(waiting);
    waiting.clear();
    for (Work each : ended) {
      switch (each) {
        case Append append when append.settles -> append.callback.unknown(cause);
        case Append append -> append.callback.notProposed(cause);
        case Install install -> install.callback.notProposed(cause);
        case Vote _ -> {}
      }
    }
  }

  /** The retained entries after an index; null if some were rolled off. Scheduler only. */
  @Nullable List<RetainedEntries.Entry> entriesAfter(long index) {
    return retained.after(index, state.index());
  }

  /** The entry of an index as the value of its slot; null if it was rolled off. Scheduler only. */
  byte @Nullable [] value(long index) {
    List<RetainedEntries.Entry> from = entriesAfter(index - 1);
    return from == null || from.isEmpty()
        ? null
        : ConsensusFormat.valueOf(from.getFirst().proposal());
  }

  @Override
  public void readFrom(long afterIndex, Follower follower) {
    scheduler.execute(() -> retained.readFrom(afterIndex, state.index(), follower));
  }

  @Override
  public byte[] snapshot() {
    ByteWriter out = new ByteWriter(4096);
    new FactWriter(out).snapshot(state);
    return out.toArray();
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
          io.execute(files::close);
        });
  }
}
