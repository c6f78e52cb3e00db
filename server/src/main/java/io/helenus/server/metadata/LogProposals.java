package io.helenus.server.metadata;

import io.helenus.server.consensus.Ballots;
import io.helenus.server.consensus.RegisterProposer;
import io.helenus.server.consensus.RegisterState.Reply;
import io.helenus.server.metadata.MetadataLog.ProposalCallback;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has the proposals of this node decided one after the other: by the voters, or by itself if it is
 * the only one. On the scheduler of the log.
 *
 * <p>If it cannot find out whether a proposal was chosen, that is settled before anything else is
 * proposed.
 */
final class LogProposals {
  /** How long the voters of a slot are asked. */
  static final long TIMEOUT_NANOS = 5_000_000_000L;

  /** The maximum number of waiting proposals. */
  private static final int WAITING_LIMIT = 4096;

  /** Whoever asked was answered already, or is not told. */
  static final ProposalCallback NOBODY = ended(() -> {});

  /** Whoever asked only wants to know when nothing is done any more. */
  static ProposalCallback ended(Runnable then) {
    return new ProposalCallback() {
      @Override
      public void decided(Decision decision) {
        then.run();
      }

      @Override
      public void notProposed(Exception cause) {
        then.run();
      }

      @Override
      public void unknown(Exception cause) {
        then.run();
      }
    };
  }

  /** What proposals need of the log. */
  interface Log {
    /** Sends a message to a node, which may be this one. */
    void send(UUID hostId, MetadataMessage message);

    /** A value was chosen for a slot. */
    void chosen(long slot, byte[] value);

    /** This node, the only voter, has made the entry the next one. */
    void appended(Decision decision);
  }

  private record Waiting(
      Proposal proposal, ProposalCallback callback, boolean settles, long sinceNanos) {}

  /** The proposal that is being decided. */
  private static final class Active {
    private final Waiting waiting;

    /** Null if this node decides alone. */
    private final @Nullable RegisterProposer proposer;

    private final long deadlineNanos;
    private boolean chosen;
    private boolean contended;
    private Scheduler.@Nullable Timer timer;

    Active(Waiting waiting, @Nullable RegisterProposer proposer, long deadlineNanos) {
      this.waiting = waiting;
      this.proposer = proposer;
      this.deadlineNanos = deadlineNanos;
    }

    long slot() {
      return waiting.proposal.slot();
    }
  }

  private final LocalMetadataLog local;
  private final DecidedEntries entries;
  private final Log log;
  private final Ballots ballots;
  private final Clock clock;
  private final Randomness randomness;
  private final Scheduler scheduler;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private Function<ClusterState, List<UUID>> deciding = ClusterState::voters;
  private @Nullable Active active;
  private @Nullable Proposal unsettled;
  private long contended;
  private boolean closed;

  LogProposals(
      LocalMetadataLog local,
      DecidedEntries entries,
      Log log,
      Ballots ballots,
      Clock clock,
      Randomness randomness,
      Scheduler scheduler) {
    this.local = local;
    this.entries = entries;
    this.log = log;
    this.ballots = ballots;
    this.clock = clock;
    this.randomness = randomness;
    this.scheduler = scheduler;
  }

  /** Lets others decide than the voters that a state names. */
  void deciding(Function<ClusterState, List<UUID>> changed) {
    deciding = changed;
  }

  /** Who decides the next entry. */
  private List<UUID> voters() {
    return deciding.apply(local.state());
  }

  /** Whether this node is deciding an entry alone, or does not know whether it has. */
  boolean decidesAlone() {
    return (active != null && active.proposer == null) || (unsettled != null && isOnlyVoter());
  }

  /** For how many slots this node has met proposals of others. */
  long contended() {
    return contended;
  }

  private void contends(Active proposal) {
    contended += proposal.contended ? 0 : 1;
    proposal.contended = true;
  }

  /** Whether nothing is proposed. */
  boolean isIdle() {
    return active == null && waiting.isEmpty() && unsettled == null;
  }

  void propose(Proposal proposal, ProposalCallback callback) {
    if (closed || waiting.size() >= WAITING_LIMIT) {
      callback.notProposed(
          new MetadataException(
              closed
                  ? "the metadata log is closed"
                  : "too many changes are waiting for the metadata log"));
      return;
    }
    waiting.add(new Waiting(proposal, callback, false, clock.nanos()));
    next();
  }

  void settle(Proposal proposal, ProposalCallback callback) {
    if (closed) {
      callback.unknown(new MetadataException("the metadata log is closed"));
      return;
    }
    waiting.addFirst(new Waiting(proposal, callback, true, clock.nanos()));
    next();
  }

  /** Finds out what became of a proposal, if that is unknown and nobody is doing it. */
  void settleUnknown() {
    Proposal unknown = unsettled;
    if (active == null && waiting.isEmpty() && unknown != null && !closed) {
      start(settling(unknown));
    }
  }

  private Waiting settling(Proposal unknown) {
    return new Waiting(unknown, NOBODY, true, clock.nanos());
  }

  /** Ends what has waited for too long, as this node cannot write what was decided before. */
  void expire() {
    long now = clock.nanos();
    List<Waiting> expired = new ArrayList<>();
    waiting.removeIf(
        each -> now - each.sinceNanos >= TIMEOUT_NANOS && active == null && expired.add(each));
    expired.forEach(
        each ->
            fail(each, new MetadataException("this node cannot write its copy of the entries")));
  }

  /** Begins with the next proposal, if none is being decided. */
  void next() {
    while (active == null && !closed && entries.isIdle()) {
      Waiting head = waiting.peek();
      if (head == null) {
        return;
      }
      Proposal unknown = unsettled;
      if (unknown != null && !head.settles) {
        start(settling(unknown));
      } else {
        waiting.remove();
        start(head);
      }
    }
  }

  private void start(Waiting next) {
    ClusterState state = local.state();
    long slot = next.proposal.slot();
    if (slot <= state.index()) {
      settled(next.proposal);
      next.callback.decided(decision(next.proposal, null));
      return;
    }
    boolean founds = state.index() == 0 && next.proposal.id().life() == 0;
    if (slot > state.index() + 1 || (voters().isEmpty() && !founds)) {
      fail(next, new MetadataException("this node is behind the metadata log"));
      return;
    }
    if (founds || isOnlyVoter()) {
      active = new Active(next, null, 0);
      Alone alone = new Alone(next);
      if (next.settles) {
        local.settle(next.proposal, alone);
      } else {
        local.propose(next.proposal, alone);
      }
      return;
    }
    long now = clock.nanos();
    RegisterProposer proposer =
        new RegisterProposer(
            new HashSet<>(voters()),
            ConsensusFormat.valueOf(next.proposal),
            ballots,
            randomness,
            now + TIMEOUT_NANOS);
    Active begun = new Active(next, proposer, now + TIMEOUT_NANOS);
    active = begun;
    perform(begun, proposer, proposer.time(now, clock.wallMicros()));
  }

  private boolean isOnlyVoter() {
    return voters().equals(List.of(local.hostId()));
  }

  private void fail(Waiting failed, Exception cause) {
    if (failed.settles) {
      failed.callback.unknown(cause);
    } else {
      failed.callback.notProposed(cause);
    }
  }

  /** What became of a proposal whose slot is in the log. */
  private Decision decision(Proposal proposal, @Nullable Decision ofSlot) {
    ClusterState state = local.state();
    LastProposal last = state.lastProposals().get(proposal.id().proposer());
    if (last == null || !last.id().equals(proposal.id())) {
      return new Decision(Outcome.VOID, null, state);
    }
    return ofSlot != null && ofSlot.state().index() == proposal.slot()
        ? ofSlot
        : new Decision(
            last.outcome(), last.outcome() == Outcome.REFUSED ? "it was refused" : null, state);
  }

  private void settled(Proposal proposal) {
    if (unsettled != null && unsettled.slot() <= proposal.slot()) {
      unsettled = null;
    }
  }

  /** Receives what became of a proposal that this node decides alone. */
  private final class Alone implements ProposalCallback {
    private final Waiting ended;

    Alone(Waiting ended) {
      this.ended = ended;
    }

    @Override
    public void decided(Decision decision) {
      active = null;
      settled(ended.proposal);
      log.appended(decision);
      ended.callback.decided(decision);
      next();
    }

    @Override
    public void notProposed(Exception cause) {
      active = null;
      fail(ended, cause);
      next();
    }

    @Override
    public void unknown(Exception cause) {
      endUnknown(ended, cause);
    }
  }

  private void endUnknown(Waiting ended, Exception cause) {
    active = null;
    unsettled = ended.proposal;
    ended.callback.unknown(cause);
    endWaiting(new MetadataException("the outcome of an earlier change is unknown"));
  }

  private void endWaiting(Exception cause) {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(each -> fail(each, cause));
  }

  /** A voter has replied for a slot. */
  void voted(UUID voter, long slot, Reply reply) {
    Active current = active;
    RegisterProposer proposer = current == null ? null : current.proposer;
    if (current != null && proposer != null && current.slot() == slot) {
      if (reply instanceof Reply.Rejected) {
        contends(current);
      }
      perform(current, proposer, proposer.replied(voter, reply, clock.nanos()));
    }
  }

  private void perform(Active current, RegisterProposer proposer, RegisterProposer.Step step) {
    switch (step) {
      case WAIT -> schedule(current, proposer);
      case PREPARE -> request(current, proposer, null);
      case ACCEPT -> request(current, proposer, proposer.value());
      case CHOSEN -> {
        current.chosen = true;
        schedule(current, proposer);
        log.chosen(current.slot(), proposer.value());
      }
      case UNKNOWN -> endUnknown(current.waiting, noMajority());
      case NOT_STARTED -> {
        if (current.waiting.settles) {
          endUnknown(current.waiting, noMajority());
        } else {
          active = null;
          current.waiting.callback.notProposed(noMajority());
          next();
        }
      }
    }
  }

  private static MetadataException noMajority() {
    return new MetadataException("no majority of the voters of the metadata log has answered");
  }

  private void request(Active current, RegisterProposer proposer, byte @Nullable [] value) {
    MetadataMessage request = new MetadataMessage.Request(current.slot(), proposer.ballot(), value);
    for (UUID voter : voters()) {
      log.send(voter, request);
    }
    schedule(current, proposer);
  }

  private void schedule(Active current, RegisterProposer proposer) {
    if (current.timer != null) {
      current.timer.cancel();
    }
    long at = current.chosen ? current.deadlineNanos : proposer.wakeAtNanos();
    current.timer =
        scheduler.schedule(() -> time(current, proposer), Math.max(0, at - clock.nanos()));
  }

  private void time(Active current, RegisterProposer proposer) {
    if (active != current || closed) {
      return;
    }
    if (current.chosen) {
      endUnknown(current.waiting, new MetadataException("the entry cannot be written here"));
    } else {
      perform(current, proposer, proposer.time(clock.nanos(), clock.wallMicros()));
    }
  }

  /** An entry that voters have decided was applied; null if several were, with a snapshot. */
  void applied(@Nullable Decision decision) {
    long index = local.state().index();
    if (unsettled != null && unsettled.slot() <= index) {
      unsettled = null;
    }
    Active current = active;
    if (current != null && current.proposer != null && current.slot() <= index) {
      if (current.timer != null) {
        current.timer.cancel();
      }
      active = null;
      Decision own = decision(current.waiting.proposal, decision);
      if (own.outcome() == Outcome.VOID) {
        contends(current);
      }
      current.waiting.callback.decided(own);
    }
    next();
  }

  void close() {
    closed = true;
    Active current = active;
    if (current != null && current.timer != null) {
      current.timer.cancel();
    }
    if (current != null && current.proposer != null) {
      active = null;
      current.waiting.callback.unknown(new MetadataException("the metadata log is closed"));
    }
    endWaiting(new MetadataException("the metadata log is closed"));
  }
}
