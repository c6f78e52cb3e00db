package io.helenus.server.coordinator;

/**
 * The course of one logged batch as a state machine: what has happened goes in, what to do next
 * comes out. Knows neither clock nor replicas; {@link LoggedBatch} carries out its steps.
 *
 * <pre>
 * STORING --entry stored--> WRITING --all parts written--> REMOVING --removed or not--> ENDED
 *    |                         |
 *    +--entry not stored       +--a part failed: the client is told, the entry stays unless the
 *       --> ENDED                 part turns out to be written late
 * </pre>
 *
 * The client is answered once: when the entry could not be stored, when the first part failed, or
 * when the entry was removed. It is removed before the client is told of success, so that a batch
 * that was acknowledged is never applied again.
 */
final class LoggedBatchOperation {
  /** What to do next. */
  enum Step {
    /** Nothing until something else happens. */
    WAIT,
    /** Write the parts. */
    WRITE_PARTS,
    /** Remove the entry from the batch log. */
    REMOVE_ENTRY,
    /** Tell the client that the batch is written. */
    CONFIRM,
    /** Tell the client what has failed. */
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

  /** The entry is not in the batch log, or nobody knows: nothing is written but by a replay. */
  Step entryNotStored() {
    state = State.ENDED;
    return answer(Step.REPORT_FAILURE);
  }

  /** A part is written, perhaps after it was said to have timed out. */
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

  /** The entry is removed, or stays to be applied once more by a replay, which changes nothing. */
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
