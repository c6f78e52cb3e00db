package io.helenus.server.consensus;

import io.helenus.storage.env.Randomness;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Has a value chosen for one register, or finishes another that may have been: a state machine
 * whose inputs are replies and time, and whose outputs are steps, which its owner carries out.
 *
 * <pre>
 * PREPARING --a majority promised--> ACCEPTING --a majority accepted--> CHOSEN
 *     ^                                  |
 *     |--the pause is over-- WAITING <---+-- a vote was rejected, or the round took too long
 *                               |
 *                               +--deadline--> NOT_STARTED, or UNKNOWN if the value was ever sent
 * </pre>
 *
 * <p>If a voter that promised has accepted a value, the one of the highest ballot takes the place
 * of the own value, as it may have been chosen. Replies count once per voter, and only to the
 * current ballot. One thread.
 */
public final class RegisterProposer {
  /** How long a round may take before another is begun. */
  static final long ROUND_NANOS = 1_000_000_000L;

  /** The longest pause after the first rejection; doubled with each further one. */
  static final long FIRST_PAUSE_NANOS = 10_000_000L;

  private static final int DOUBLINGS_LIMIT = 6;

  /** What to do next. */
  public enum Step {
    /** Nothing until the next reply or {@link #wakeAtNanos}. */
    WAIT,
    /** Send {@link #ballot} to all voters for their promises. */
    PREPARE,
    /** Send {@link #ballot} and {@link #value} to all voters to be accepted. */
    ACCEPT,
    /** {@link #value} is chosen, whether it is the own one or not. */
    CHOSEN,
    /** The deadline is over; the own value may be chosen, now or later. */
    UNKNOWN,
    /** The deadline is over; the own value was never sent, so that it will never be chosen. */
    NOT_STARTED
  }

  private enum State {
    PREPARING,
    ACCEPTING,
    WAITING,
    ENDED
  }

  private final Set<UUID> voters;
  private final byte[] own;
  private final Ballots ballots;
  private final Randomness randomness;
  private final long deadlineNanos;
  private final Set<UUID> replied = new HashSet<>();

  private State state = State.WAITING;
  private @Nullable Ballot ballot;
  private @Nullable Ballot highestSeen;
  private @Nullable AcceptedValue adopted;
  private byte[] value;
  private long wakeAtNanos;
  private int rejections;
  private boolean ownSent;

  /**
   * Proposes a value.
   *
   * @param voters who decide the register; an odd number
   * @param value the own value, which is not changed
   * @param ballots of this run of the node
   * @param deadlineNanos when to stop, on the clock of {@code nowNanos}
   */
  public RegisterProposer(
      Set<UUID> voters, byte[] value, Ballots ballots, Randomness randomness, long deadlineNanos) {
    this.voters = Set.copyOf(voters);
    this.own = value;
    this.value = value;
    this.ballots = ballots;
    this.randomness = randomness;
    this.deadlineNanos = deadlineNanos;
  }

  /** The ballot of the current round. */
  public Ballot ballot() {
    Ballot current = ballot;
    if (current == null) {
      throw new IllegalStateException("no round was begun");
    }
    return current;
  }

  /** The value that is to be accepted or, in the end, is chosen. */
  public byte[] value() {
    return value;
  }

  /** When {@link #time} is to be called at the latest. */
  public long wakeAtNanos() {
    return wakeAtNanos;
  }

  /** The time has come, at the start and at {@link #wakeAtNanos}; earlier calls do no harm. */
  public Step time(long nowNanos, long nowMicros) {
    if (state == State.ENDED) {
      return Step.WAIT;
    }
    if (nowNanos - deadlineNanos >= 0) {
      state = State.ENDED;
      return ownSent ? Step.UNKNOWN : Step.NOT_STARTED;
    }
    if (ballot != null && nowNanos - wakeAtNanos < 0) {
      return Step.WAIT;
    }
    ballot = ballots.next(nowMicros, highestSeen);
    state = State.PREPARING;
    replied.clear();
    adopted = null;
    value = own;
    wake(nowNanos + ROUND_NANOS);
    return Step.PREPARE;
  }

  private void wake(long atNanos) {
    wakeAtNanos = atNanos - deadlineNanos < 0 ? atNanos : deadlineNanos;
  }

  /** A voter replied. */
  public Step replied(UUID voter, RegisterState.Reply reply, long nowNanos) {
    return switch (reply) {
      case RegisterState.Reply.Promised(Ballot to, AcceptedValue accepted) ->
          counts(State.PREPARING, voter, to) ? promised(accepted, nowNanos) : Step.WAIT;
      case RegisterState.Reply.Accepted(Ballot to) ->
          counts(State.ACCEPTING, voter, to) ? accepted() : Step.WAIT;
      case RegisterState.Reply.Rejected(Ballot to, Ballot promised) -> {
        if (voters.contains(voter) && to.equals(ballot)) {
          rejected(promised, nowNanos);
        }
        yield Step.WAIT;
      }
    };
  }

  private boolean counts(State during, UUID voter, Ballot to) {
    return state == during && to.equals(ballot) && voters.contains(voter) && replied.add(voter);
  }

  private boolean isMajority() {
    return replied.size() > voters.size() / 2;
  }

  private Step promised(@Nullable AcceptedValue accepted, long nowNanos) {
    if (accepted != null && (adopted == null || accepted.ballot().isAfter(adopted.ballot()))) {
      adopted = accepted;
      value = accepted.value();
    }
    if (!isMajority()) {
      return Step.WAIT;
    }
    state = State.ACCEPTING;
    replied.clear();
    ownSent |= Arrays.equals(value, own);
    wake(nowNanos + ROUND_NANOS);
    return Step.ACCEPT;
  }

  private Step accepted() {
    if (!isMajority()) {
      return Step.WAIT;
    }
    state = State.ENDED;
    return Step.CHOSEN;
  }

  private void rejected(Ballot promised, long nowNanos) {
    if (highestSeen == null || promised.isAfter(highestSeen)) {
      highestSeen = promised;
    }
    if (state != State.PREPARING && state != State.ACCEPTING) {
      return;
    }
    state = State.WAITING;
    long longest = FIRST_PAUSE_NANOS << Math.min(rejections, DOUBLINGS_LIMIT);
    rejections++;
    wake(nowNanos + 1 + Long.remainderUnsigned(randomness.nextLong(), longest));
  }
}
