package io.helenus.server.replica;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition that are computed from its rows, all writes to those of its tables
 * that have views, and steps of work in the background, in order of arrival. It works in turns:
 * what waits is run, one after the other, each on the results of those before it, and written
 * together ({@link PartitionTurn}). Entries that arrive during a turn wait for the next one.
 *
 * <p>An entry may wait during its turn, until blocks are loaded for example. Shard thread only.
 */
final class PartitionQueue implements Runnable, PartitionTurn.Owner {
  private final PartitionQueues queues;
  private final TurnOrder order = new TurnOrder();
  private final PartitionTurn turn;
  private PartitionQueues.@Nullable Partition partition;

  /** The entry that runs or waits in its turn. */
  private @Nullable QueueEntry current;

  private boolean busy;
  private boolean inTurn;

  PartitionQueue(PartitionQueues queues) {
    this.queues = queues;
    turn = new PartitionTurn(queues, this);
  }

  /** Adds an entry of the partition whose queue this is until it is idle. */
  void add(PartitionQueues.Partition ofEntry, QueueEntry entry) {
    partition = ofEntry;
    order.add(entry);
    if (!busy) {
      busy = true;
      run();
    }
  }

  /** Continues the turn, or begins the next one. */
  @Override
  public void run() {
    if (!inTurn) {
      if (!queues.beginTurn(this)) {
        return;
      }
      inTurn = true;
      turn.begin();
    }
    while (true) {
      QueueEntry entry = current;
      if (entry == null) {
        entry = turn.isFull() ? null : beginNext();
        if (entry == null) {
          turn.write();
          return;
        }
        current = entry;
      }
      if (!entry.run(turn)) {
        return;
      }
      current = null;
    }
  }

  /** Takes the next entry of the turn that is not too late; null if there is none. */
  private @Nullable QueueEntry beginNext() {
    QueueEntry next;
    while ((next = order.next()) != null) {
      queues.begun();
      if (next.begin()) {
        order.begun(next);
        return next;
      }
    }
    return null;
  }

  @Override
  public boolean hasMore() {
    return !order.isEmpty();
  }

  @Override
  public int begun() {
    return order.begun();
  }

  @Override
  public void goOn() {
    run();
  }

  /** Ends the turn; the next one begins in another task, so that the shard can do other work. */
  @Override
  public void over(List<? extends QueueEntry> repeated, boolean oneByOne) {
    order.repeat(repeated, oneByOne);
    queues.returned(repeated.size());
    order.endTurn();
    inTurn = false;
    queues.endTurn();
    PartitionQueues.Partition served = partition;
    if (order.isEmpty() && served != null) {
      busy = false;
      queues.idle(served, this);
    } else {
      queues.shard().executeLast(this);
    }
  }
}
