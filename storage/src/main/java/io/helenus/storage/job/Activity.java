package io.helenus.storage.job;

import io.helenus.storage.engine.StorageActivity;
import io.helenus.storage.engine.StorageActivity.FinishedCompaction;
import io.helenus.storage.engine.StorageActivity.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tracks running and finished flushes and compactions, for monitoring. Any thread. */
public final class Activity {
  private static final int KEPT_COMPACTIONS = 1000;

  private final Map<Kind, Counts> counts = new EnumMap<>(Kind.class);
  private final Set<Running> running = new LinkedHashSet<>();
  private final ArrayDeque<FinishedCompaction> finished = new ArrayDeque<>();
  private long lastNumber;
  private long compactedBytes;

  private static final class Counts {
    private int pending;
    private int active;
    private long completed;
  }

  public Activity() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new Counts());
    }
  }

  /** A running task, whose thread reports its progress. */
  public static final class Running {
    private final long number;
    private final Kind kind;
    private final int tableId;
    private final long startedMicros;
    private final long totalBytes;
    private final long totalEntries;
    private final int files;
    private volatile long entries;

    private Running(
        long number,
        Kind kind,
        int tableId,
        long startedMicros,
        long totalBytes,
        long totalEntries,
        int files) {
      this.number = number;
      this.kind = kind;
      this.tableId = tableId;
      this.startedMicros = startedMicros;
      this.totalBytes = totalBytes;
      this.totalEntries = totalEntries;
      this.files = files;
    }

    /** Sets the number of input entries processed so far. */
    public void passed(long entriesPassed) {
      entries = entriesPassed;
    }

    private StorageActivity.Task describe() {
      double share = totalEntries == 0 ? 0 : Math.min(1.0, (double) entries / totalEntries);
      return new StorageActivity.Task(
          number, kind, tableId, startedMicros, totalBytes, Math.round(totalBytes * share), files);
    }
  }

  private Counts countsOf(Kind kind) {
    Counts account = counts.get(kind);
    if (account == null) {
      throw new IllegalStateException("unknown kind of task: " + kind);
    }
    return account;
  }

  /**
   * Changes the number of pending tasks: by 1 when a task is requested, by -1 when it starts or is
   * no longer needed.
   */
  public synchronized void pending(Kind kind, int by) {
    countsOf(kind).pending += by;
  }

  /** Records the start of a task. */
  public synchronized Running begin(
      Kind kind, int tableId, long startedMicros, long totalBytes, long totalEntries, int files) {
    countsOf(kind).active++;
    Running task =
        new Running(++lastNumber, kind, tableId, startedMicros, totalBytes, totalEntries, files);
    running.add(task);
    return task;
  }

  /** Records the end of a task. */
  public synchronized void end(Running task) {
    if (running.remove(task)) {
      Counts account = countsOf(task.kind);
      account.active--;
      account.completed++;
    }
  }

  /** Records a compaction that has replaced its inputs. */
  public synchronized void compacted(
      Running task, long endedMicros, long bytesOut, List<Long> mergedPartitions) {
    compactedBytes += task.totalBytes;
    finished.addLast(
        new FinishedCompaction(
            task.number,
            task.tableId,
            task.startedMicros,
            endedMicros,
            task.totalBytes,
            bytesOut,
            mergedPartitions));
    if (finished.size() > KEPT_COMPACTIONS) {
      finished.removeFirst();
    }
  }

  /** The current state. */
  public synchronized StorageActivity describe() {
    List<StorageActivity.Task> tasks = new ArrayList<>(running.size());
    for (Running task : running) {
      tasks.add(task.describe());
    }
    return new StorageActivity(
        tasks, List.copyOf(finished), work(Kind.FLUSH), work(Kind.COMPACTION), compactedBytes);
  }

  private StorageActivity.Work work(Kind kind) {
    Counts account = countsOf(kind);
    return new StorageActivity.Work(account.pending, account.active, account.completed);
  }
}
