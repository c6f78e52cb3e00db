package io.helenus.storage.env;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler with its own thread, for tools and tests without sockets. A node's shards run on
 * Netty's event loops instead.
 */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
  private final ScheduledThreadPoolExecutor thread;

  /** Starts a thread with this name. */
  public ThreadScheduler(String name) {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void execute(Runnable task) {
    thread.execute(task);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    Future<?> future = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> {
      boolean cancelled = future.cancel(false);
      assert cancelled || future.isDone();
    };
  }

  /** Accepts no more tasks; those already submitted still run. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
