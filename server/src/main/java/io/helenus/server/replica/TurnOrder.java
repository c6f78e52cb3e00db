package io.helenus.server.replica;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting entries of a partition's queue, and which of them share a turn: as many as wait, up
 * to a limit; but an entry that has a turn of its own shares it with no other, nor do entries that
 * are repeated one by one. Pure; one thread at a time; reusable when it is empty.
 */
final class TurnOrder {
  /** How many entries a turn has at most. */
  static final int TURN_ENTRIES = 128;

  private final ArrayDeque<QueueEntry> waiting = new ArrayDeque<>();
  private int begun;
  private int single;
  private boolean isClosed;

  /** Adds an entry behind all others. */
  void add(QueueEntry entry) {
    waiting.addLast(entry);
  }

  /** Whether no entry waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the next entry of the present turn; null if it has no further one. */
  @Nullable QueueEntry next() {
    QueueEntry next = waiting.peekFirst();
    if (next == null || isClosed || (begun > 0 && next.hasOwnTurn())) {
      return null;
    }
    return waiting.removeFirst();
  }

  /** An entry that was taken last has begun; one that was too late does not count. */
  void begun(QueueEntry entry) {
    begun++;
    isClosed = begun == TURN_ENTRIES || single > 0 || entry.hasOwnTurn();
  }

  /** How many entries have begun in the present turn. */
  int begun() {
    return begun;
  }

  /**
   * Puts entries of the present turn back, before all others and in their order.
   *
   * @param oneByOne whether each is to have a turn of its own from now on
   */
  void repeat(List<? extends QueueEntry> entries, boolean oneByOne) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      waiting.addFirst(entries.get(i));
    }
    if (oneByOne) {
      // the present turn ends too
      single = entries.size() + 1;
    }
  }

  /** Ends the turn. */
  void endTurn() {
    begun = 0;
    isClosed = false;
    single = Math.max(0, single - 1);
  }
}
