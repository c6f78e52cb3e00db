package io.helenus.server.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The tick end of an event loop without a shard. */
final class LoopTick implements TickEnd {
  private final EventLoop loop;
  private final Runnable end = this::end;
  private Runnable flush = () -> {};
  private boolean scheduled;

  LoopTick(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void tick() {
    if (!scheduled) {
      scheduled = true;
      loop.execute(end);
    }
  }

  @Override
  public void onTickEnd(Runnable newFlush) {
    flush = newFlush;
  }

  @Override
  public void executeLast(Runnable slice) {
    ScheduledFuture<?> ignored = loop.schedule(slice, 0, TimeUnit.NANOSECONDS);
  }

  private void end() {
    scheduled = false;
    flush.run();
  }
}
