package io.helenus.server.coordinator;

/**
 * What a read of several replicas decides, for one set of replicas: whom it asks for data and whom
 * for a digest, when the replies are merged, and what follows from differences. {@link
 * ReplicatedRead} carries out the steps. It uses neither shard nor clock: inputs are methods, which
 * return the next step.
 *
 * <pre>
 * begin → SEND ──all replied──> COMPARE (if there are digests) ──equal──> MERGE
 *           ^                      │ not equal: SEND to those that sent digests
 *           │                      v
 *           │                    MERGE ──differences──> REPAIR ──all repaired──┐
 *           │                      │ none                                      │
 *           └──────── NEXT <───────┴──────────> ANSWER <───────────────────────┘
 * </pre>
 *
 * A replica that fails, or whose link breaks, is replaced by one that is up and was not asked, as
 * long as there is one. Each reply counts once. One thread at a time.
 */
abstract class ReplicatedReadOperation extends Deadlines.Operation implements Replies {
  /** What to do next. */
  enum Step {
    /** Nothing until the next input. */
    WAIT,
    /** Ask {@link #dataFrom} for data and {@link #digestsFrom} for digests. */
    SEND,
    /** Compare the digests with that of the data, and say {@link #compared}. */
    COMPARE,
    /** Merge the data of {@link #replied}, and say {@link #merged}. */
    MERGE,
    /** Send the differences to {@link #repairing}. */
    REPAIR,
    /** Ask on from where the merge ended: {@link #begin} follows. */
    NEXT,
    /** Report success: there is no more to read of these replicas. */
    ANSWER,
    /** Report a failure. */
    FAIL,
    /** Report a timeout. */
    TIME_OUT
  }

  private int required;
  private int candidates;
  private int asked;
  private int awaitedData;
  private int awaitedDigests;
  private int data;
  private int digests;
  private int dataFrom;
  private int digestsFrom;
  private int repairing;
  private int failures;
  private boolean differed;
  private boolean finished;
  private boolean ended;

  /**
   * Begins with a set of replicas, or asks them on.
   *
   * @param needed how many replicas must reply
   * @param live the replicas that are up, a bit for each; at least as many
   * @param first the one that is asked for data, if it is up
   * @param turn from which number on the others are asked, so that all have their turn
   */
  final Step begin(int needed, int live, int first, int turn) {
    required = needed;
    candidates = live;
    asked = 0;
    awaitedData = 0;
    awaitedDigests = 0;
    data = 0;
    digests = 0;
    dataFrom = 0;
    digestsFrom = 0;
    for (int i = 0; i < needed; i++) {
      int next = next(candidates & ~asked, i == 0 ? first : turn);
      asked |= next;
      // once they have differed, they are likely to differ again
      if (i == 0 || differed) {
        dataFrom |= next;
      } else {
        digestsFrom |= next;
      }
    }
    awaitedData = dataFrom;
    awaitedDigests = digestsFrom;
    return Step.SEND;
  }

  /** Says how many replicas must reply, for a read that ends before it begins. */
  final void require(int needed) {
    required = needed;
  }

  /** The first of some replicas from a number on, else from the beginning; a bit. */
  static int next(int left, int from) {
    int behind = left & -1 << from;
    return Integer.lowestOneBit(behind == 0 ? left : behind);
  }

  /** The read that was answered goes on with other replicas: {@link #begin} follows. */
  final void goOn() {
    ended = false;
  }

  /** A replica has sent data. */
  final Step data(int replica) {
    int bit = 1 << replica;
    if (ended || (awaitedData & bit) == 0) {
      return Step.WAIT;
    }
    awaitedData &= ~bit;
    data |= bit;
    return proceed();
  }

  /** A replica has sent a digest. */
  final Step digest(int replica) {
    int bit = 1 << replica;
    if (ended || (awaitedDigests & bit) == 0) {
      return Step.WAIT;
    }
    awaitedDigests &= ~bit;
    digests |= bit;
    return proceed();
  }

  private Step proceed() {
    if ((awaitedData | awaitedDigests) != 0) {
      return Step.WAIT;
    }
    return digests == 0 ? Step.MERGE : Step.COMPARE;
  }

  /** Whether all digests are that of the data. */
  final Step compared(boolean equal) {
    if (equal) {
      return Step.MERGE;
    }
    differed = true;
    dataFrom = digests;
    digestsFrom = 0;
    awaitedData = digests;
    digests = 0;
    return Step.SEND;
  }

  /**
   * The replies have been merged.
   *
   * @param lacking the replicas that lack something of the result, a bit for each
   * @param all whether there is no more to read of these replicas
   */
  final Step merged(int lacking, boolean all) {
    finished = all;
    repairing = lacking;
    return lacking == 0 ? afterRepair() : Step.REPAIR;
  }

  /** A replica has what it lacked. */
  final Step repaired(int replica) {
    int bit = 1 << replica;
    if (ended || (repairing & bit) == 0) {
      return Step.WAIT;
    }
    repairing &= ~bit;
    return repairing == 0 ? afterRepair() : Step.WAIT;
  }

  private Step afterRepair() {
    if (!finished) {
      return Step.NEXT;
    }
    ended = true;
    return Step.ANSWER;
  }

  /** A replica could not read, or not take what it lacked. */
  final Step failed(int replica) {
    return lose(replica, Step.FAIL);
  }

  /** A replica will not reply any more. */
  final Step lost(int replica) {
    return lose(replica, Step.TIME_OUT);
  }

  private Step lose(int replica, Step otherwise) {
    int bit = 1 << replica;
    if (ended || ((awaitedData | awaitedDigests | repairing) & bit) == 0) {
      return Step.WAIT;
    }
    failures += otherwise == Step.FAIL ? 1 : 0;
    if (repairing != 0) {
      ended = true;
      return otherwise;
    }
    awaitedData &= ~bit;
    awaitedDigests &= ~bit;
    int next = Integer.lowestOneBit(candidates & ~asked);
    if (next == 0) {
      ended = true;
      return otherwise;
    }
    asked |= next;
    awaitedData |= next;
    dataFrom = next;
    digestsFrom = 0;
    return Step.SEND;
  }

  /** The deadline has passed. */
  final Step deadlinePassed() {
    return end() ? Step.TIME_OUT : Step.WAIT;
  }

  /** Ends without an answer; false if it has ended. */
  final boolean end() {
    boolean ends = !ended;
    ended = true;
    return ends;
  }

  /** Whether it has ended: replies are ignored. */
  final boolean isEnded() {
    return ended;
  }

  /** Whom to ask for data, a bit for each. */
  final int dataFrom() {
    return dataFrom;
  }

  /** Whom to ask for a digest, a bit for each. */
  final int digestsFrom() {
    return digestsFrom;
  }

  /** Those that have sent data, a bit for each. */
  final int replied() {
    return data;
  }

  /** Those that have sent digests, a bit for each. */
  final int digests() {
    return digests;
  }

  /** Those that are sent what they lack and have not confirmed it, a bit for each. */
  final int repairing() {
    return repairing;
  }

  /** Whether the reply of a replica is waited for. */
  final boolean isAwaited(int replica) {
    return !ended && (awaited() & 1 << replica) != 0;
  }

  /** Those whose reply is waited for, a bit for each. */
  final int awaited() {
    return awaitedData | awaitedDigests | repairing;
  }

  @Override
  public final int required() {
    return required;
  }

  @Override
  public final int received() {
    return Integer.bitCount(data | digests);
  }

  @Override
  public final int failures() {
    return failures;
  }
}
