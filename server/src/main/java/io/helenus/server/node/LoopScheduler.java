package io.helenus.server.node;

import io.helenus.storage.env.Scheduler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Adapts a Netty event loop to the scheduler of a shard. */
final class LoopScheduler implements Scheduler {
  private final EventLoop loop;

  LoopScheduler(EventLoop loop) {
    this.loop = loop;
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
}
