package io.helenus.storage.job;

/** Counts the background jobs that run, so that closing can wait for them. Any thread. */
public final class RunningJobs {
  private int running;
  private boolean stopping;

  /** Begins a job, or a slice of one; false when it must not run any more. */
  public synchronized boolean enter() {
    if (stopping) {
      return false;
    }
    running++;
    return true;
  }

  /** Ends what {@link #enter} began. */
  public synchronized void exit() {
    running--;
    notifyAll();
  }

  /** Lets no job begin any more, and waits for those that run. */
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
      throw new IllegalStateException("storage threads are never interrupted");
    }
  }
}
