package io.helenus.storage.env;

import java.util.concurrent.Executor;

/**
 * Runs tasks one after the other in the order they arrive, as a shard's event loop does. Any thread
 * may submit tasks.
 */
public interface Scheduler extends Executor {
  /** A scheduled task. */
  interface Timer {
    /** Cancels the task if it has not started. */
    void cancel();
  }

  /** Runs a task after a delay. */
  Timer schedule(Runnable task, long delayNanos);
}
