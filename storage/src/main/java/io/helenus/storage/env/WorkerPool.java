package io.helenus.storage.env;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads beside the shards, for disk reads and syncs, or for flush and compaction. Tasks
 * wait in a queue that those who hand them in keep short. Threads start when first needed and are
 * never interrupted.
 */
public final class WorkerPool implements Executor, AutoCloseable {
  private static final int IDLE_SECONDS = 30;
  private final ThreadPoolExecutor pool;

  /** At most so many threads, named after their purpose, of lower than normal priority or not. */
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

  /** How many tasks are being run. */
  public int active() {
    return pool.getActiveCount();
  }

  /** How many tasks are run at a time at most. */
  public int threads() {
    return pool.getMaximumPoolSize();
  }

  /** How many tasks have been run. */
  public long completed() {
    return pool.getCompletedTaskCount();
  }

  /** How many tasks wait. */
  public int queued() {
    return pool.getQueue().size();
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(task);
  }

  /** Takes no more tasks, and waits until those handed in have ended. */
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
