package io.helenus.server.coordinator;

import java.util.BitSet;

/**
 * The replay of a batch log entry as a state machine: its inputs are events, its outputs the next
 * steps. It uses neither clock nor replicas; {@link BatchReplay} carries out its steps.
 *
 * <pre>
 * READING --parts found--> APPLYING --all applied--> REMOVING --removed--> ENDED
 *    |                        |                         |
 *    +--gone or unreadable    +--a part failed          +--not removed: keep the entry
 *       --> ENDED                --> ENDED, keep the entry
 * </pre>
 *
 * In each state the deadline ends the replay and keeps the entry. The outcome is reported once;
 * what replicas answer later changes nothing.
 */
final class BatchReplayOperation {
  /** What to do next. */
  enum Step {
    /** Nothing until the next event. */
    WAIT,
    /** Write the parts. */
    WRITE_PARTS,
    /** Remove the entry from the batch log. */
    REMOVE_ENTRY,
    /** Report that the entry is gone. */
    REPORT_GONE,
    /** Report that the entry is kept, to be retried. */
    REPORT_KEPT,
    /** Stop reading the entry, and report that it is kept. */
    CANCEL_READ_AND_REPORT_KEPT,
    /** Report that this program cannot read the entry. */
    REPORT_UNREADABLE
  }

  private enum State {
    READING,
    APPLYING,
    REMOVING,
    ENDED
  }

  private final BitSet missing = new BitSet();
  private State state = State.READING;

  /** The entry was read: so many parts are to be applied; none if there are none, or too late. */
  Step partsFound(int parts) {
    if (state != State.READING) {
      return Step.WAIT;
    }
    if (parts == 0) {
      state = State.REMOVING;
      return Step.REMOVE_ENTRY;
    }
    missing.set(0, parts);
    state = State.APPLYING;
    return Step.WRITE_PARTS;
  }

  /** There is no such entry. */
  Step entryGone() {
    return end(State.READING, Step.REPORT_GONE);
  }

  /** The entry was read, but not understood. */
  Step entryUnreadable() {
    return end(State.READING, Step.REPORT_UNREADABLE);
  }

  /** The entry could not be read. */
  Step entryNotRead() {
    return end(State.READING, Step.REPORT_KEPT);
  }

  /** A part has been applied; parts are numbered from 0. */
  Step partWritten(int part) {
    missing.clear(part);
    if (state != State.APPLYING || !missing.isEmpty()) {
      return Step.WAIT;
    }
    state = State.REMOVING;
    return Step.REMOVE_ENTRY;
  }

  /** A part has not been applied. */
  Step partFailed(int part) {
    return missing.get(part) ? end(State.APPLYING, Step.REPORT_KEPT) : Step.WAIT;
  }

  /** The entry was removed. */
  Step entryRemoved() {
    return end(State.REMOVING, Step.REPORT_GONE);
  }

  /** The entry could not be removed. */
  Step entryNotRemoved() {
    return end(State.REMOVING, Step.REPORT_KEPT);
  }

  /** The deadline has passed, or the node stops. */
  Step deadlinePassed() {
    return state == State.READING
        ? end(State.READING, Step.CANCEL_READ_AND_REPORT_KEPT)
        : end(state, Step.REPORT_KEPT);
  }

  private Step end(State from, Step report) {
    if (state != from || state == State.ENDED) {
      return Step.WAIT;
    }
    state = State.ENDED;
    return report;
  }
}
