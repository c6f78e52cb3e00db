package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler.Timer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one kind that are in progress on a shard, oldest first. They share one timeout,
 * so they are also ordered by deadline, and a single timer for the oldest one is enough. The list
 * is intrusive, so that adding an operation does not allocate. Shard thread only.
 */
final class Deadlines {
  /** The minimum delay of the timer, in case it fires before the deadline it was set for. */
  private static final long MIN_DELAY_NANOS = 1_000_000L;

  /** An operation with a deadline. */
  abstract static class Operation {
    private @Nullable Operation previous;
    private @Nullable Operation next;
    private long startNanos;
    private boolean listed;

    /** Called once when the deadline has passed, after the operation was removed. */
    abstract void timedOut();

    /** Called once if the node stops before the deadline, after the operation was removed. */
    void stopped() {
      timedOut();
    }

    /** Describes the operation for {@code system_views}. */
    abstract RunningOperation describe(long runningNanos);
  }

  private final Shard shard;
  private final Clock clock;
  private long timeoutNanos;
  private final Runnable check = this::check;
  private @Nullable Operation oldest;
  private @Nullable Operation newest;
  private @Nullable Timer timer;

  Deadlines(Shard shard, Clock clock, long timeoutNanos) {
    this.shard = shard;
    this.clock = clock;
    this.timeoutNanos = timeoutNanos;
  }

  void add(Operation operation) {
    begin(operation);
    list(operation);
  }

  /**
   * Starts the time of an operation that is likely to end at once; {@link #list} follows if it does
   * not.
   */
  void begin(Operation operation) {
    operation.startNanos = shard.nanos();
  }

  /** Adds an operation whose time has begun; none that began later has been listed. */
  void list(Operation operation) {
    operation.previous = newest;
    operation.listed = true;
    if (newest == null) {
      oldest = operation;
    } else {
      newest.next = operation;
    }
    newest = operation;
    if (timer == null) {
      timer = shard.schedule(check, timeoutNanos);
    }
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  /** Changes the timeout, also of the operations in progress. */
  void timeoutNanos(long changed) {
    timeoutNanos = changed;
    if (timer != null) {
      timer.cancel();
      check();
    }
  }

  /** The time at which an operation began, on the shard's monotonic clock. */
  long startNanos(Operation operation) {
    return operation.startNanos;
  }

  /** Appends the operations in progress, oldest first. */
  void describe(List<RunningOperation> running) {
    long now = clock.nanos();
    for (Operation each = oldest; each != null; each = each.next) {
      running.add(each.describe(now - startNanos(each)));
    }
  }

  void remove(Operation operation) {
    if (!operation.listed) {
      return;
    }
    operation.listed = false;
    Operation before = operation.previous;
    Operation after = operation.next;
    if (before == null) {
      oldest = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.previous = before;
    }
    operation.previous = null;
    operation.next = null;
  }

  private void check() {
    timer = null;
    long now = clock.nanos();
    Operation first = oldest;
    while (first != null && first.startNanos + timeoutNanos - now <= 0) {
      remove(first);
      first.timedOut();
      first = oldest;
    }
    if (first != null) {
      timer =
          shard.schedule(check, Math.max(MIN_DELAY_NANOS, first.startNanos + timeoutNanos - now));
    }
  }

  /** Ends all operations, because the node is stopping. */
  void stopAll() {
    for (Operation first = oldest; first != null; first = oldest) {
      remove(first);
      first.stopped();
    }
  }
}
