package io.helenus.storage.job;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits which compactions run at once by the memory that they are expected to need. One may always
 * run; flushes are not limited, because they free memory. Any thread.
 */
public final class JobMemory {
  private final long limitBytes;
  private final List<Runnable> waiting = new ArrayList<>();
  private long expectedBytes;
  private int running;

  /** Without running compactions. */
  public JobMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Admits a compaction, which must call {@link #exit} at its end.
   *
   * @param bytes the memory that it is expected to need
   * @param whenEnded if it is not admitted, runs once another has ended, on any thread
   * @return whether the compaction is admitted
   */
  public synchronized boolean enter(long bytes, Runnable whenEnded) {
    if (running > 0 && bytes > limitBytes - expectedBytes) {
      waiting.add(whenEnded);
      return false;
    }
    running++;
    expectedBytes += bytes;
    return true;
  }

  /** Ends what {@link #enter} has admitted. */
  public void exit(long bytes) {
    List<Runnable> retries;
    synchronized (this) {
      running--;
      expectedBytes -= bytes;
      retries = List.copyOf(waiting);
      waiting.clear();
    }
    retries.forEach(Runnable::run);
  }
}
