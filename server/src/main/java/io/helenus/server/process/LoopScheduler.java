package io.helenus.server.process;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** Adapts a Netty event loop to the scheduler of a shard. */
final class LoopScheduler implements Scheduler {
  /** The time that yields may take in a row. */
  private static final long YIELD_BURST_NANOS = 5_000_000;

  /** The part of the time that yields may take in the long run, as a divisor. */
  private static final int YIELD_SHARE = 10;

  private final EventLoop loop;
  private final Clock clock;

  /** Slices of long work, the first of them scheduled or running; used on the loop's thread. */
  private final ArrayDeque<Runnable> slices = new ArrayDeque<>();

  /** The time that yields may still take, as of {@link #countedAt}; used on the loop's thread. */
  private long yieldNanos = YIELD_BURST_NANOS;

  private long countedAt;

  LoopScheduler(EventLoop loop, Clock clock) {
    this.loop = loop;
    this.clock = clock;
    this.countedAt = clock.nanos();
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    ScheduledFuture<?> future = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** A zero delay makes the loop poll its sockets before each slice. */
  @Override
  public void executeLast(Runnable slice) {
    if (!loop.inEventLoop()) {
      loop.execute(() -> executeLast(slice));
      return;
    }
    slices.add(slice);
    if (slices.size() == 1) {
      scheduleSlice();
    }
  }

  private void scheduleSlice() {
    ScheduledFuture<?> ignored = loop.schedule(this::runSlice, 0, TimeUnit.NANOSECONDS);
  }

  /** Runs the next slice; the one after it waits for another round of the loop. */
  private void runSlice() {
    yieldProcessor();
    Runnable slice = slices.getFirst();
    try {
      slice.run();
    } finally {
      slices.removeFirst();
      if (!slices.isEmpty()) {
        scheduleSlice();
      }
    }
  }

  /**
   * Lets threads that have just become runnable use the processor. When scans keep every processor
   * busy, the kernel would otherwise let such a thread wait for several milliseconds, and handling
   * SIGTERM or a closed connection takes several threads in turn. Where other threads are busy as
   * well, each yield gives away a whole time slice, so yields take at most a tenth of the time,
   * apart from a burst that is long enough for SIGTERM.
   */
  private void yieldProcessor() {
    long before = clock.nanos();
    yieldNanos = Math.min(YIELD_BURST_NANOS, yieldNanos + (before - countedAt) / YIELD_SHARE);
    countedAt = before;
    if (yieldNanos > 0) {
      Thread.yield();
      countedAt = clock.nanos();
      yieldNanos -= countedAt - before;
    }
  }
}
