package io.helenus.server.metadata;

import io.helenus.server.consensus.Ballots;
import io.helenus.server.consensus.RegisterState;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata log of a cluster. Each entry is a register that the voters decide which the entries
 * before it name; this node's copy is a {@link LocalMetadataLog}. There is no leader: any node
 * proposes, also one that is not a member yet. The only voter decides alone, with one write.
 *
 * <ol>
 *   <li>A proposer asks the voters of a slot for promises, then to accept ({@link LogProposals}). A
 *       voter answers for the slot after its last durable entry only, and when its vote is durable:
 *       for earlier slots it sends the entries, before later ones it fetches what it misses.
 *   <li>What is chosen is sent to all members, and each writes it in order ({@link
 *       DecidedEntries}).
 *   <li>Once a second, members tell some others how far they are, and fetch what they have missed:
 *       entries or, if those were rolled off, a snapshot.
 * </ol>
 *
 * <p>{@link #received} and the methods of {@link MetadataLog} may be called by any thread, unless
 * they say otherwise; all the work is done on the scheduler.
 */
public final class ReplicatedMetadataLog implements MetadataLog {
  private static final long TICK_NANOS = 1_000_000_000L;
  private static final int TOLD_EACH_TICK = 2;
  private static final int PARKED_LIMIT = 256;

  private static final Logger LOGGER = LoggerFactory.getLogger(ReplicatedMetadataLog.class);

  /** A request for a slot that this node cannot vote on yet. */
  private record Parked(UUID from, MetadataMessage.Request request) {}

  private final LocalMetadataLog local;
  private final UUID hostId;
  private final MetadataPeers peers;
  private final Randomness randomness;
  private final Scheduler scheduler;

  /** This and all fields below: scheduler only. */
  private final MemberProgress progress;

  private final DecidedEntries entries;
  private final LogProposals proposals;
  private final OwnProposals own;
  private final CatchUp catchUp;
  private final List<Parked> parked = new ArrayList<>();
  private long lastFollowed;
  private boolean toldJoin;
  private boolean ticking;
  private boolean changingVoters;
  private boolean closed;

  /**
   * Replicates an open log. {@link #start} follows when messages can be sent.
   *
   * @param systemKeyspaces the built-in keyspaces
   * @param life which of the node's runs this is: greater than that of any run before, and durable
   *     before anything is proposed
   * @param live the host ids of the members that are alive, as far as this node knows; called on
   *     the scheduler
   * @param scheduler that of the log
   * @param fatal notified if this node cannot follow the log
   */
  public ReplicatedMetadataLog(
      LocalMetadataLog local,
      List<KeyspaceSchema> systemKeyspaces,
      long life,
      MetadataPeers peers,
      Supplier<? extends Set<UUID>> live,
      Clock clock,
      Randomness randomness,
      Scheduler scheduler,
      Consumer<? super Exception> fatal) {
    this.local = local;
    this.hostId = local.hostId();
    this.peers = peers;
    this.randomness = randomness;
    this.scheduler = scheduler;
    this.progress = new MemberProgress(scheduler, live);
    this.entries = new DecidedEntries(local, scheduler, this::applied, fatal);
    this.catchUp = new CatchUp(local, entries, systemKeyspaces, this::send, clock, fatal);
    this.proposals =
        new LogProposals(
            local,
            entries,
            new ForProposals(),
            new Ballots(hostId, life),
            clock,
            randomness,
            scheduler);
    this.own = new OwnProposals(local, life, proposals, scheduler);
  }

  /** Begins to keep up with the other members, as soon as there are some. */
  public void start() {
    scheduler.execute(this::tick);
  }

  /** Lets what this node proposes be decided by others than the voters that the state names. */
  void deciding(Function<ClusterState, List<UUID>> changed) {
    proposals.deciding(changed);
  }

  private final class ForProposals implements LogProposals.Log {
    @Override
    public void send(UUID to, MetadataMessage message) {
      ReplicatedMetadataLog.this.send(to, message);
    }

    @Override
    public void chosen(long slot, byte[] value) {
      for (UUID member : others()) {
        send(member, new MetadataMessage.Entries(slot, slot, List.of(value)));
      }
      entries.add(slot, value);
      entries.write();
    }

    @Override
    public void appended(Decision decision) {
      long slot = decision.state().index();
      byte[] value = others().isEmpty() ? null : local.value(slot);
      if (value != null) {
        for (UUID member : others()) {
          send(member, new MetadataMessage.Entries(slot, slot, List.of(value)));
        }
      }
      afterEntry();
    }
  }

  private Set<UUID> others() {
    Set<UUID> others = new HashSet<>(local.members());
    others.remove(hostId);
    return others;
  }

  private boolean isMember() {
    return local.state().node(hostId) != null;
  }

  private void send(UUID to, MetadataMessage message) {
    if (to.equals(hostId)) {
      scheduler.execute(() -> handle(hostId, message));
    } else {
      peers.send(to, message.encoded());
    }
  }

  /** The host id of this node, which is that of a member once it has founded or joined. */
  public UUID hostId() {
    return hostId;
  }

  /** For how many slots this node has met proposals of others. On the scheduler. */
  public long contendedSlots() {
    return proposals.contended();
  }

  @Override
  public ClusterState state() {
    return local.state();
  }

  @Override
  public void propose(Proposal proposal, ProposalCallback callback) {
    scheduler.execute(() -> proposals.propose(proposal, callback));
  }

  @Override
  public void settle(Proposal proposal, ProposalCallback callback) {
    scheduler.execute(() -> proposals.settle(proposal, callback));
  }

  /** Founds a cluster with this node as its first member; the log must be empty. */
  public void found(NodeIdentity identity, ProposalCallback callback) {
    propose(identity.founding(hostId, randomness), callback);
  }

  /**
   * Proposes that this node joins the cluster whose log it has fetched. If it turns out to be void,
   * it is proposed again.
   *
   * @param node this node, with its host id
   */
  public void join(ClusterNode node, ProposalCallback callback) {
    String name = local.state().clusterName();
    scheduler.execute(() -> own.propose(new MetadataEntry.NodeJoined(node, name), callback));
  }

  /** Proposes that this member is found elsewhere from now on, or runs another release. */
  public void register(NodeAddresses addresses, String release, ProposalCallback callback) {
    MetadataEntry entry = new MetadataEntry.NodeRegistered(hostId, addresses, release);
    scheduler.execute(() -> own.propose(entry, callback));
  }

  /**
   * Fetches the log from a member, for a node that is about to join; asks once, since whoever dials
   * members knows when to ask again.
   *
   * @param whenFetched called on the scheduler, when this node has what that member had
   */
  public void fetch(UUID member, Runnable whenFetched) {
    scheduler.execute(() -> catchUp.fetch(member, whenFetched));
  }

  /** A member is said to have the log up to an index: what is missing here is fetched from it. */
  public void ahead(UUID member, long index) {
    scheduler.execute(() -> catchUp.behind(member, index));
  }

  /**
   * A message of another node has arrived. Malformed ones, and those of a version that this release
   * does not know, are dropped.
   */
  public void received(UUID from, byte[] message) {
    scheduler.execute(
        () -> {
          try {
            handle(from, MetadataMessage.decode(message));
          } catch (IllegalArgumentException e) {
            LOGGER.warn("dropped a message of {} about the metadata log: {}", from, e.getMessage());
          }
        });
  }

  private void handle(UUID from, MetadataMessage message) {
    if (closed) {
      return;
    }
    switch (message) {
      case MetadataMessage.Request request -> requested(from, request);
      case MetadataMessage.Voted(long slot, RegisterState.Reply reply) ->
          proposals.voted(from, slot, reply);
      case MetadataMessage.Entries sent -> catchUp.received(from, sent);
      case MetadataMessage.Fetch(long afterIndex) -> catchUp.serve(from, afterIndex);
      case MetadataMessage.Snapshot sent -> {
        if (!proposals.decidesAlone()) {
          catchUp.received(from, sent);
        }
      }
      case MetadataMessage.Progress told -> told(from, told);
    }
  }

  /** A proposer wants a promise, or a value accepted. */
  private void requested(UUID from, MetadataMessage.Request request) {
    ClusterState state = local.state();
    long slot = request.slot();
    byte[] known = entries.value(slot);
    if (slot <= state.index()) {
      catchUp.serve(from, slot - 1);
    } else if (known != null) {
      send(from, new MetadataMessage.Entries(slot, slot, List.of(known)));
    } else if (slot > state.index() + 1) {
      catchUp.behind(from, slot - 1);
      park(from, request);
    } else if (state.voters().equals(List.of(hostId))) {
      requestedOfOnlyVoter(from, request);
    } else if (state.voters().contains(hostId)) {
      vote(from, request);
    }
  }

  private void park(UUID from, MetadataMessage.Request request) {
    if (parked.size() < PARKED_LIMIT) {
      parked.add(new Parked(from, request));
    }
  }

  private void vote(UUID from, MetadataMessage.Request request) {
    RegisterState register = local.register();
    byte[] value = request.value();
    RegisterState.Vote vote =
        value == null
            ? register.prepare(request.ballot())
            : register.accept(request.ballot(), value);
    MetadataMessage reply = new MetadataMessage.Voted(request.slot(), vote.reply());
    if (vote.reply() instanceof RegisterState.Reply.Rejected) {
      send(from, reply);
    } else {
      local.vote(vote.next(), () -> send(from, reply));
    }
  }

  /** What the only voter accepts is chosen, so that it is written as an entry at once. */
  private void requestedOfOnlyVoter(UUID from, MetadataMessage.Request request) {
    byte[] value = request.value();
    if (proposals.decidesAlone()) {
      park(from, request);
      proposals.settleUnknown();
      return;
    }
    if (value == null) {
      send(
          from,
          new MetadataMessage.Voted(
              request.slot(), new RegisterState.Reply.Promised(request.ballot(), null)));
      return;
    }
    Proposal proposal;
    try {
      proposal = ConsensusFormat.proposalOf(value);
    } catch (NewerReleaseException e) {
      LOGGER.warn("cannot accept what {} proposes: {}", from, e.getMessage());
      return;
    }
    park(from, request); // answered with the entry, once that is durable
    proposals.propose(proposal, LogProposals.NOBODY);
  }

  /** Entries that others have decided were applied; null if with a snapshot. */
  private void applied(@Nullable Decision decision) {
    proposals.applied(decision);
    afterEntry();
  }

  /** Requests for the next slot can be answered now. */
  private void afterEntry() {
    List<Parked> all = List.copyOf(parked);
    parked.clear();
    for (Parked each : all) {
      requested(each.from, each.request);
    }
    if (isMember() && !toldJoin) {
      toldJoin = true;
      others().forEach(member -> tell(member, true));
    }
    catchUp.fetchMissing();
    catchUp.checkFetched();
    startTicking();
    checkVoters();
  }

  /** A member is this far. */
  private void told(UUID from, MetadataMessage.Progress told) {
    progress.told(from, told, others());
    long index = local.state().index();
    if (told.durable() > index) {
      catchUp.behind(from, told.durable());
    } else if (told.asks()) {
      if (told.durable() < index) {
        catchUp.serve(from, told.durable());
      }
      tell(from, false);
    }
    checkVoters();
  }

  private void tell(UUID member, boolean asks) {
    if (isMember()) {
      send(member, new MetadataMessage.Progress(local.state().index(), lastFollowed, asks));
    }
  }

  @Override
  public void followed(long index) {
    lastFollowed = Math.max(lastFollowed, index);
    List<RetainedEntries.Entry> held = local.entriesAfter(index - 1);
    if (held != null && !held.isEmpty()) {
      UUID proposer = held.getFirst().proposal().id().proposer();
      if (!proposer.equals(hostId)) {
        tell(proposer, false);
      } else if (held.getFirst().proposal().entry() instanceof MetadataEntry.NodeJoined) {
        others().forEach(member -> tell(member, false));
      }
    }
  }

  @Override
  public void whenFollowed(long index, Runnable then) {
    progress.whenFollowed(index, others(), then);
  }

  @Override
  public void watch(long index, Watch watch) {
    progress.watch(index, others(), watch);
  }

  /** Ticks once a second while there are other nodes to keep up with. */
  private void startTicking() {
    boolean alone = others().isEmpty() && !catchUp.isBehind();
    if (!ticking && !closed && !alone) {
      ticking = true;
      Scheduler.Timer ignored = scheduler.schedule(this::tick, TICK_NANOS);
    }
  }

  /** Asks some members for what is missing here, and tries again what was not possible before. */
  private void tick() {
    ticking = false;
    if (closed) {
      return;
    }
    List<UUID> others = new ArrayList<>(others());
    for (int i = 0; i < TOLD_EACH_TICK && !others.isEmpty(); i++) {
      int drawn = (int) Long.remainderUnsigned(randomness.nextLong(), others.size());
      tell(others.remove(drawn), true);
    }
    progress.check(others());
    proposals.settleUnknown();
    proposals.expire();
    catchUp.fetchMissing();
    checkVoters();
    startTicking();
  }

  /** The first voter that is alive proposes that others vote too, when there are enough. */
  private void checkVoters() {
    ClusterState state = local.state();
    if (changingVoters || !proposals.isIdle() || !isFirstLiveVoter(state)) {
      return;
    }
    Set<UUID> confirmed = new HashSet<>(progress.confirmed());
    confirmed.add(hostId);
    List<UUID> wanted = Voters.wanted(state, confirmed);
    if (wanted.equals(state.voters())) {
      return;
    }
    changingVoters = true;
    own.proposeOnce(
        new MetadataEntry.VotersChanged(wanted), LogProposals.ended(() -> changingVoters = false));
  }

  private boolean isFirstLiveVoter(ClusterState state) {
    for (UUID voter : state.voters()) {
      if (voter.equals(hostId)) {
        return true;
      }
      if (progress.isLive(voter)) {
        return false;
      }
    }
    return false;
  }

  @Override
  public void readFrom(long afterIndex, Follower follower) {
    local.readFrom(afterIndex, follower);
  }

  @Override
  public byte[] snapshot() {
    return local.snapshot();
  }

  @Override
  public void close() {
    scheduler.execute(
        () -> {
          if (!closed) {
            closed = true;
            proposals.close();
            progress.close();
            local.close();
          }
        });
  }
}
