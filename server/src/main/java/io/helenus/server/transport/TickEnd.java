package io.helenus.server.transport;

/**
 * The ticks of a shard: a tick is everything the loop handles before it polls for new work. Called
 * on the loop.
 */
public interface TickEnd {
  /** Ensures that the end of this tick is scheduled. Called whenever the transport adds work. */
  void tick();

  /**
   * Sets the task to run at the end of each tick, after the commit log was written. Called once.
   */
  void onTickEnd(Runnable flush);

  /** Runs the next slice of long work in a tick of its own, after the input of others. */
  void executeLast(Runnable slice);
}
