package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one kind that are under way on a shard, in the order of their beginning and so,
 * with one timeout for all, of their deadlines. A list without allocation: an operation is its own
 * link. Shard thread only.
 */
final class Deadlines {
  /** How often the oldest is looked at: a timeout comes at most so much late. */
  private static final long CHECK_NANOS = 50_000_000L;

  /** Something that must end by a deadline. */
  abstract static class Operation {
    private @Nullable Operation previous;
    private @Nullable Operation next;
    private long deadlineNanos;
    private boolean listed;

    /** Called once when the deadline has passed; no longer listed then. */
    abstract void timedOut();

    /** What it does, for people who ask. */
    abstract RunningOperation describe(long runningNanos);
  }

  private final Shard shard;
  private final Clock clock;
  private final long timeoutNanos;
  private final Runnable check = this::check;
  private @Nullable Operation oldest;
  private @Nullable Operation newest;
  private boolean checkScheduled;

  Deadlines(Shard shard, Clock clock, long timeoutNanos) {
    this.shard = shard;
    this.clock = clock;
    this.timeoutNanos = timeoutNanos;
  }

  void add(Operation operation) {
    operation.deadlineNanos = shard.nanos() + timeoutNanos;
    operation.previous = newest;
    operation.listed = true;
    if (newest == null) {
      oldest = operation;
    } else {
      newest.next = operation;
    }
    newest = operation;
    if (!checkScheduled) {
      checkScheduled = true;
      shard.schedule(check, CHECK_NANOS);
    }
  }

  /** When an operation began. */
  long startNanos(Operation operation) {
    return operation.deadlineNanos - timeoutNanos;
  }

  /** Appends what is under way, the oldest first. */
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
    checkScheduled = false;
    long now = clock.nanos();
    Operation first = oldest;
    while (first != null && first.deadlineNanos - now <= 0) {
      remove(first);
      first.timedOut();
      first = oldest;
    }
    if (first != null) {
      checkScheduled = true;
      shard.schedule(check, CHECK_NANOS);
    }
  }
}
