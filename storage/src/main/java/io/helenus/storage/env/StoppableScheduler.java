package io.helenus.storage.env;

import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler that drops tasks once its thread has stopped, for background work that finishes while
 * the node shuts down. Any thread.
 */
public final class StoppableScheduler implements Scheduler {
  private static final Logger LOGGER = LoggerFactory.getLogger(StoppableScheduler.class);
  private static final Timer NO_TIMER = () -> {};
  private final Scheduler inner;

  /** Forwards tasks to another scheduler until that rejects them. */
  public StoppableScheduler(Scheduler inner) {
    this.inner = inner;
  }

  @Override
  public void execute(Runnable task) {
    try {
      inner.execute(task);
    } catch (RejectedExecutionException stopped) {
      LOGGER.debug("Task dropped because its scheduler has stopped", stopped);
    }
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    try {
      return inner.schedule(task, delayNanos);
    } catch (RejectedExecutionException stopped) {
      LOGGER.debug("Timer dropped because its scheduler has stopped", stopped);
      return NO_TIMER;
    }
  }

  @Override
  public void executeLast(Runnable slice) {
    try {
      inner.executeLast(slice);
    } catch (RejectedExecutionException stopped) {
      LOGGER.debug("Task dropped because its scheduler has stopped", stopped);
    }
  }
}
