package io.helenus.server.transport;

/**
 * The ticks of a shard: a tick is everything the loop handles before it polls for new work. Called
 * on the loop.
 */
public interface TickEnd {
  /** Makes sure that this tick will be ended. Called whenever the transport adds work. */
  void tick();

  /** Sets what to run at the end of each tick, after the log was written. Called once. */
  void onTickEnd(Runnable flush);
}
