package io.helenus.copy.work;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * What all workers together may do: rows per second, and memory of rows that are being written.
 * Used by many threads at once.
 */
public final class Limits {
  private static final int KIB = 1024;

  /** In KiB: 64 MiB. */
  private static final int MEMORY = 64 * KIB;

  /** In KiB, at least, which also limits the number of rows: to 256. */
  private static final int ROW = MEMORY / 256;

  private static final long SECOND_NANOS = 1_000_000_000;

  private final Semaphore memory = new Semaphore(MEMORY);
  private final long nanosPerRow;
  private long nextRow = System.nanoTime();

  /**
   * Creates the limits.
   *
   * @param rate rows per second, 0 for no limit
   */
  public Limits(long rate) {
    nanosPerRow = rate == 0 ? 0 : Math.max(1, SECOND_NANOS / rate);
  }

  /** Waits until the next row may be read or written. */
  public void awaitTurn() {
    if (nanosPerRow == 0) {
      return;
    }
    long turn;
    synchronized (this) {
      turn = Math.max(nextRow, System.nanoTime());
      nextRow = turn + nanosPerRow;
    }
    for (long wait = turn - System.nanoTime(); wait > 0; wait = turn - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
  }

  /** Waits for memory for a row; what it returns must be released. */
  int take(long bytes) {
    int permits = Math.clamp(bytes / KIB, ROW, MEMORY);
    memory.acquireUninterruptibly(permits);
    return permits;
  }

  void giveBack(int permits) {
    memory.release(permits);
  }
}
