package io.helenus.server.metadata;

/**
 * Decides what a node that changes the cluster metadata does next: a state machine whose inputs are
 * events and whose outputs are steps, which {@link SchemaChanges} carries out. One change is made
 * at a time, and nothing is proposed or said while the outcome of a proposal can still be found
 * out.
 *
 * <pre>
 * IDLE --a change waits--> PLANNING --planned--> PROPOSED --decided--> DECIDED --its state is visible-->
 *                             |                   |    |                  ^       IDLE: report the outcome;
 *                    nothing to propose      not proposed unknown         |       PLANNING again if it was void
 *                             v                   v    v                  |
 *                            IDLE               IDLE  SETTLING --decided--+
 *                                                      |   ^
 *                                                still unknown, a change waits
 *                                                      v   |
 *                                                    UNSETTLED
 * </pre>
 *
 * <p>If the outcome of a proposal is still unknown after one attempt to settle it, its client is
 * answered so. The next change begins with another attempt, and is refused if that fails too.
 */
final class Proposer {
  /** How often a change is planned if others are decided before it. */
  static final int ATTEMPTS_LIMIT = 100;

  /** What to do next. */
  enum Step {
    /** Nothing until the next event. */
    WAIT,
    /** Plan the change at the head against the visible state. */
    PLAN,
    /** Propose what was planned. */
    PROPOSE,
    /** Find out what became of the last proposal. */
    SETTLE,
    /** Report that the change was made. */
    CONFIRM,
    /** Report that the change was decided but could not be applied; it has no effect. */
    REPORT_REFUSED,
    /** Report that the change was not made, as other changes kept being decided before it. */
    REPORT_OVERTAKEN,
    /** Report that the change was not made, as it could not be proposed. */
    REPORT_NOT_PROPOSED,
    /** Report that it is unknown whether the change was made. */
    REPORT_UNKNOWN,
    /** Report that the change was not made, as the outcome of an earlier one is unknown. */
    REPORT_BLOCKED
  }

  private enum State {
    IDLE,
    PLANNING,
    PROPOSED,
    SETTLING,
    UNSETTLED,
    DECIDED
  }

  private State state = State.IDLE;
  private long visibleIndex;
  private long decidedIndex;
  private Outcome outcome = Outcome.APPLIED;
  private int attempts;

  /** Whether the last proposal is that of the change at the head, not of an earlier one. */
  private boolean own;

  /** Starts with this state visible. */
  Proposer(long visibleIndex) {
    this.visibleIndex = visibleIndex;
  }

  /** There is a change at the head. */
  Step changeWaits() {
    return switch (state) {
      case IDLE -> plan(1);
      case UNSETTLED -> {
        state = State.SETTLING;
        yield Step.SETTLE;
      }
      case PLANNING, PROPOSED, SETTLING, DECIDED -> Step.WAIT;
    };
  }

  private Step plan(int attempt) {
    state = State.PLANNING;
    attempts = attempt;
    return Step.PLAN;
  }

  /** The change at the head was planned and is a proposal. */
  Step planned() {
    state = State.PROPOSED;
    own = true;
    return Step.PROPOSE;
  }

  /** The change at the head was answered without a proposal. */
  void planEnded() {
    state = State.IDLE;
  }

  /** The proposal is not in the log and never will be. */
  Step notProposed() {
    state = State.IDLE;
    return Step.REPORT_NOT_PROPOSED;
  }

  /** It is unknown whether the proposal is in the log. */
  Step unknown() {
    if (state == State.PROPOSED) {
      state = State.SETTLING;
      return Step.SETTLE;
    }
    state = State.UNSETTLED;
    Step step = own ? Step.REPORT_UNKNOWN : Step.REPORT_BLOCKED;
    own = false;
    return step;
  }

  /** The proposal is in the log, with an entry of this index. */
  Step decided(Outcome decidedOutcome, long index) {
    state = State.DECIDED;
    outcome = decidedOutcome;
    decidedIndex = index;
    return next();
  }

  /** The state of this index is visible, and storage has followed it. */
  Step visible(long index) {
    visibleIndex = index;
    return next();
  }

  private Step next() {
    if (state != State.DECIDED || visibleIndex < decidedIndex) {
      return Step.WAIT;
    }
    if (!own) {
      return plan(1);
    }
    if (outcome == Outcome.VOID && attempts < ATTEMPTS_LIMIT) {
      return plan(attempts + 1);
    }
    state = State.IDLE;
    return switch (outcome) {
      case APPLIED -> Step.CONFIRM;
      case REFUSED -> Step.REPORT_REFUSED;
      case VOID -> Step.REPORT_OVERTAKEN;
    };
  }
}
