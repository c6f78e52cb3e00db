package io.helenus.storage.job;

/** Counts the running background jobs, so that closing can wait for them. Any thread. */
public final class RunningJobs {
  private int running;
  private boolean stopping;

  /** Starts a job, or a slice of one; false if storage is closing and it must not run. */
  public synchronized boolean enter() {
    if (stopping) {
      return false;
    }
    running++;
    return true;
  }

  /** Ends what {@link #enter} started. */
  public synchronized void exit() {
    running--;
    notifyAll();
  }

  /** Prevents further jobs from starting and waits for those running. */
  public synchronized void stop() {
    stopping = true;
    boolean interrupted = false;
    while (running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      throw new IllegalStateException("storage threads must not be interrupted");
    }
  }
}
