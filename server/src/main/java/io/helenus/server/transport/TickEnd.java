package io.helenus.server.transport;

/**
 * What the transport asks of the shard whose loop it runs on. A tick is everything the loop handles
 * before it looks for new work. Called on the loop.
 */
public interface TickEnd {
  /** Makes sure that this tick will be ended. Called whenever the transport brings work. */
  void tick();

  /** Adds what is run at the end of each tick, after the log has been written. Called once. */
  void onTickEnd(Runnable flush);
}
