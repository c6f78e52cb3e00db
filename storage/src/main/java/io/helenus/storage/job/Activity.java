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

/** Keeps account of flushes and compactions, for people who ask. Any thread. */
public final class Activity {
  private static final int KEPT_COMPACTIONS = 1000;

  private final Map<Kind, Account> accounts = new EnumMap<>(Kind.class);
  private final Set<Running> running = new LinkedHashSet<>();
  private final ArrayDeque<FinishedCompaction> finished = new ArrayDeque<>();
  private long lastNumber;

  private static final class Account {
    private int pending;
    private int active;
    private long completed;
  }

  public Activity() {
    for (Kind kind : Kind.values()) {
      accounts.put(kind, new Account());
    }
  }

  /** A task under way; its own thread tells how far it has come. */
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

    /** So many of the input's entries are behind it. */
    public void passed(long entriesPassed) {
      entries = entriesPassed;
    }

    private StorageActivity.Task describe() {
      double share = totalEntries == 0 ? 0 : Math.min(1.0, (double) entries / totalEntries);
      return new StorageActivity.Task(
          number, kind, tableId, startedMicros, totalBytes, Math.round(totalBytes * share), files);
    }
  }

  private Account account(Kind kind) {
    Account account = accounts.get(kind);
    if (account == null) {
      throw new IllegalStateException("no account of " + kind);
    }
    return account;
  }

  /** A task is wanted, or wanted no longer: it begins, or there is nothing to do after all. */
  public synchronized void pending(Kind kind, int by) {
    account(kind).pending += by;
  }

  /** A task begins. */
  public synchronized Running begin(
      Kind kind, int tableId, long startedMicros, long totalBytes, long totalEntries, int files) {
    account(kind).active++;
    Running task =
        new Running(++lastNumber, kind, tableId, startedMicros, totalBytes, totalEntries, files);
    running.add(task);
    return task;
  }

  /** A task has ended. */
  public synchronized void end(Running task) {
    if (running.remove(task)) {
      Account account = account(task.kind);
      account.active--;
      account.completed++;
    }
  }

  /** A compaction has replaced its input. */
  public synchronized void compacted(
      Running task, long endedMicros, long bytesOut, List<Long> mergedPartitions) {
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

  public synchronized StorageActivity describe() {
    List<StorageActivity.Task> tasks = new ArrayList<>(running.size());
    for (Running task : running) {
      tasks.add(task.describe());
    }
    return new StorageActivity(
        tasks, List.copyOf(finished), work(Kind.FLUSH), work(Kind.COMPACTION));
  }

  private StorageActivity.Work work(Kind kind) {
    Account account = account(kind);
    return new StorageActivity.Work(account.pending, account.active, account.completed);
  }
}
