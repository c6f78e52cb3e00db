package io.helenus.storage.env;

import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler whose thread may have stopped: what comes after that is dropped, because there is
 * nobody left to tell. For those who finish work beside a shard while the node stops. Any thread.
 */
public final class StoppableScheduler implements Scheduler {
  private static final Logger LOGGER = LoggerFactory.getLogger(StoppableScheduler.class);
  private static final Timer NO_TIMER = () -> {};
  private final Scheduler inner;

  /** Hands tasks on to another scheduler as long as that takes them. */
  public StoppableScheduler(Scheduler inner) {
    this.inner = inner;
  }

  @Override
  public void execute(Runnable task) {
    try {
      inner.execute(task);
    } catch (RejectedExecutionException stopped) {
      LOGGER.debug("a task came after its thread had stopped", stopped);
    }
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    try {
      return inner.schedule(task, delayNanos);
    } catch (RejectedExecutionException stopped) {
      LOGGER.debug("a timer came after its thread had stopped", stopped);
      return NO_TIMER;
    }
  }
}
