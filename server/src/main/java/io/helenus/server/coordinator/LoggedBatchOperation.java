package io.helenus.server.coordinator;

/**
 * A logged batch as a state machine: its inputs are events, its outputs the next steps. It uses
 * neither clock nor replicas; {@link LoggedBatch} carries out its steps.
 *
 * <pre>
 * STORING --entry stored--> WRITING --all parts written--> REMOVING --removed or not--> ENDED
 *    |                         |
 *    +--entry not stored       +--a part failed: report to the client; keep the entry unless the
 *       --> ENDED                 part turns out to be written late
 * </pre>
 *
 * The client receives one response: when the entry could not be stored, when the first part failed,
 * or when the entry was removed. The entry is removed before success is reported, so that an
 * acknowledged batch is never applied again.
 */
final class LoggedBatchOperation {
  /** What to do next. */
  enum Step {
    /** Nothing until the next event. */
    WAIT,
    /** Write the parts. */
    WRITE_PARTS,
    /** Remove the entry from the batch log. */
    REMOVE_ENTRY,
    /** Report success to the client. */
    CONFIRM,
    /** Report the failure to the client. */
    REPORT_FAILURE
  }

  private enum State {
    STORING,
    WRITING,
    REMOVING,
    ENDED
  }

  private State state = State.STORING;
  private int missingParts;
  private boolean answered;

  LoggedBatchOperation(int parts) {
    missingParts = parts;
  }

  /** The entry is in the batch log. */
  Step entryStored() {
    if (state != State.STORING) {
      return Step.WAIT;
    }
    state = State.WRITING;
    return Step.WRITE_PARTS;
  }

  /**
   * Storing the entry failed or timed out. No part is written now; if the entry was stored after
   * all, a replay writes them.
   */
  Step entryNotStored() {
    state = State.ENDED;
    return answer(Step.REPORT_FAILURE);
  }

  /** A part was written, possibly after it had been reported as timed out. */
  Step partWritten() {
    missingParts--;
    if (missingParts > 0 || state != State.WRITING) {
      return Step.WAIT;
    }
    state = State.REMOVING;
    return Step.REMOVE_ENTRY;
  }

  /** A part failed or timed out. */
  Step partFailed() {
    return answer(Step.REPORT_FAILURE);
  }

  /**
   * The entry was removed, or its removal failed; then a replay applies it again, which changes
   * nothing.
   */
  Step entryRemovalEnded() {
    state = State.ENDED;
    return answer(Step.CONFIRM);
  }

  private Step answer(Step step) {
    if (answered) {
      return Step.WAIT;
    }
    answered = true;
    return step;
  }
}
