package io.helenus.storage.env;

import java.util.concurrent.Executor;

/**
 * A thread of work: tasks run one after the other in the order of their arrival (a shard's event
 * loop), or on a bounded pool where so said. Any thread may hand in tasks.
 */
public interface Scheduler extends Executor {
  /** A task that was scheduled for later. */
  interface Timer {
    /** Forgets the task, if it has not begun. */
    void cancel();
  }

  /** Runs a task after a delay. */
  Timer schedule(Runnable task, long delayNanos);
}
