package io.helenus.server.transport;

import io.netty.channel.EventLoop;

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

  private void end() {
    scheduled = false;
    flush.run();
  }
}
