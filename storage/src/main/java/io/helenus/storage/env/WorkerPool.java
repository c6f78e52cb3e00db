package io.helenus.storage.env;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few background threads, for disk reads and syncs or for flushes and compactions. The queue is
 * unbounded: callers limit the number of tasks they submit. Threads start on demand and are never
 * interrupted. Any thread.
 */
public final class WorkerPool implements Executor, AutoCloseable {
  private static final int IDLE_SECONDS = 30;
  private final ThreadPoolExecutor pool;

  /** A pool of at most {@code threads} threads, which share a name. */
  public WorkerPool(String name, int threads) {
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  /** The number of running tasks. */
  public int active() {
    return pool.getActiveCount();
  }

  /** The maximum number of threads. */
  public int threads() {
    return pool.getMaximumPoolSize();
  }

  /** The number of completed tasks. */
  public long completed() {
    return pool.getCompletedTaskCount();
  }

  /** The number of waiting tasks. */
  public int queued() {
    return pool.getQueue().size();
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(task);
  }

  /** Accepts no more tasks and waits until all submitted tasks have ended. */
  @Override
  public void close() {
    pool.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (pool.awaitTermination(1, TimeUnit.HOURS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
