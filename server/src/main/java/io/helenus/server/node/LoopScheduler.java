package io.helenus.server.node;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Adapts a Netty event loop to the scheduler of a shard. */
final class LoopScheduler implements Scheduler {
  private final EventLoop loop;
  private final Clock clock;

  /** The monotonic time before which the processor is not yielded; used on the loop's thread. */
  private long nextYield;

  LoopScheduler(EventLoop loop, Clock clock) {
    this.loop = loop;
    this.clock = clock;
    this.nextYield = clock.nanos();
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

  /** A zero delay makes the loop poll its sockets before the slice. */
  @Override
  public void executeLast(Runnable slice) {
    ScheduledFuture<?> ignored =
        loop.schedule(
            () -> {
              yieldProcessor();
              slice.run();
            },
            0,
            TimeUnit.NANOSECONDS);
  }

  /**
   * Lets threads that have just become runnable use the processor. When scans keep every processor
   * busy, the kernel would otherwise let such a thread wait for several milliseconds, and handling
   * SIGTERM or a closed connection takes several threads in turn. Where other threads are busy as
   * well, a yield gives away a whole time slice, so at most a tenth of the time is spent in yields.
   */
  private void yieldProcessor() {
    long before = clock.nanos();
    if (before - nextYield >= 0) {
      Thread.yield();
      long after = clock.nanos();
      nextYield = after + 10 * (after - before);
    }
  }
}
