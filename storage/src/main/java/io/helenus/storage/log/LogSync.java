package io.helenus.storage.log;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.Scheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Syncs what a shard has written to its log, on an I/O thread: at once in batch mode, otherwise
 * after a period or on request. At most one sync runs at a time; what is written meanwhile is
 * covered by the next one. Shard thread only.
 */
final class LogSync {
  /** Receives the results, on the shard's thread. */
  interface Receiver {
    /** Everything written before this position is durable. */
    void onSynced(long position);

    /** A sync failed, which is final: the node must stop. */
    void onSyncFailed(IOException why);
  }

  private final Scheduler shard;
  private final Executor io;
  private final SyncMode mode;
  private final long periodNanos;
  private final Receiver receiver;
  private final List<LogSegment> dirty = new ArrayList<>();
  private long writtenPosition;
  private boolean running;
  private boolean requested;
  private boolean timerSet;
  private boolean stopped;

  LogSync(Scheduler shard, Executor io, LogOptions options, Receiver receiver) {
    this.shard = shard;
    this.io = io;
    this.mode = options.syncMode();
    this.periodNanos = options.syncPeriodNanos();
    this.receiver = receiver;
  }

  /** Remembers that a segment has unsynced bytes. */
  void written(LogSegment segment) {
    if (!segment.dirty) {
      segment.dirty = true;
      dirty.add(segment);
    }
  }

  /** Sets the position before which everything has been written. */
  void writtenTo(long position) {
    writtenPosition = position;
  }

  /** The position before which everything has been written. */
  long writtenPosition() {
    return writtenPosition;
  }

  /** Requests a sync as soon as possible: when a running one ends, or something is written. */
  void request() {
    requested = true;
    startIfDue();
  }

  /** Starts a sync if the mode requires one now, or schedules it. */
  void startIfDue() {
    if (running || stopped || dirty.isEmpty()) {
      return;
    }
    if (mode == SyncMode.BATCH || requested) {
      start();
    } else if (!timerSet) {
      timerSet = true;
      Scheduler.Timer timer = shard.schedule(this::onTimer, periodNanos);
      assert timer != null;
    }
  }

  private void onTimer() {
    timerSet = false;
    request();
  }

  private void start() {
    running = true;
    requested = false;
    long target = writtenPosition;
    List<LogSegment> covered = List.copyOf(dirty);
    for (LogSegment segment : covered) {
      segment.dirty = false;
    }
    dirty.clear();
    io.execute(() -> sync(covered, target));
  }

  private void sync(List<LogSegment> covered, long target) {
    try {
      for (LogSegment segment : covered) {
        segment.file.sync();
      }
    } catch (IOException e) {
      shard.execute(() -> receiver.onSyncFailed(e));
      return;
    }
    shard.execute(() -> synced(target));
  }

  private void synced(long target) {
    if (stopped) {
      return;
    }
    running = false;
    receiver.onSynced(target);
    startIfDue();
  }

  /** Starts no further sync, and ignores the result of one that is running. */
  void stop() {
    stopped = true;
  }

  /** Syncs what has been written, on the calling thread. */
  void syncNow() throws IOException {
    for (LogSegment segment : dirty) {
      segment.file.sync();
    }
  }
}
