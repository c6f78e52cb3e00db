package io.helenus.storage.env;

import java.util.concurrent.Executor;

/**
 * Runs tasks one at a time in the order in which they are submitted, like a shard's event loop. Any
 * thread may submit tasks.
 */
public interface Scheduler extends Executor {
  /** A scheduled task. */
  interface Timer {
    /** Cancels the task if it has not started. */
    void cancel();
  }

  /** Runs a task after a delay. */
  Timer schedule(Runnable task, long delayNanos);

  /**
   * Runs the next slice of long work once everything else that is ready has had its turn: the
   * sockets of an event loop, and threads that wait for a processor.
   */
  default void executeLast(Runnable slice) {
    Timer ignored = schedule(slice, 0);
  }
}
