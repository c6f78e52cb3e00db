package io.helenus.storage.compaction;

import io.helenus.storage.env.Scheduler;
import io.helenus.storage.job.JobContext;
import java.util.ArrayDeque;

/** The tables of one shard that wait for a compaction; one runs at a time. Shard thread only. */
public final class CompactionQueue {
  private static final int VERY_SMALL_PART = 16;

  private final JobContext context;
  private final GraceRule graceRule;
  private final Scheduler shard;
  private final long verySmallFileBytes;
  private final ArrayDeque<TableCompactions> waiting = new ArrayDeque<>();
  private boolean compacting;
  private boolean blocked;

  /**
   * Runs jobs in the background and handles their results on the shard's thread.
   *
   * @param memtableBytes what the memtables of the shard take when one is flushed
   */
  public CompactionQueue(
      JobContext context, GraceRule graceRule, Scheduler shard, long memtableBytes) {
    this.context = context;
    this.graceRule = graceRule;
    this.shard = shard;
    verySmallFileBytes =
        Math.min(memtableBytes / VERY_SMALL_PART, SizeTieredPolicy.SMALL_FILE_BYTES);
  }

  /** The size below which files are so small that few are merged. */
  long verySmallFileBytes() {
    return verySmallFileBytes;
  }

  public JobContext context() {
    return context;
  }

  public GraceRule graceRule() {
    return graceRule;
  }

  public Scheduler shard() {
    return shard;
  }

  /** Appends a table; its compaction starts after those of the tables before it. */
  public void add(TableCompactions table) {
    waiting.add(table);
    startNext();
  }

  /**
   * Whether there is memory for another compaction, which then calls {@link #ended}; otherwise it
   * is to be started again once one of another shard has ended.
   */
  boolean admits(long bytes, TableCompactions table) {
    boolean admitted = context.jobMemory().enter(bytes, () -> shard.execute(this::unblock));
    if (!admitted) {
      blocked = true;
      waiting.addFirst(table);
    }
    return admitted;
  }

  private void unblock() {
    blocked = false;
    startNext();
  }

  /** The running compaction has ended. */
  public void ended() {
    compacting = false;
    startNext();
  }

  private void startNext() {
    while (!compacting && !blocked) {
      TableCompactions next = waiting.poll();
      if (next == null) {
        return;
      }
      compacting = next.start();
    }
  }
}
