package io.helenus.server.admin;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets those who change snapshots do so one after the other, in the order in which they ask. No
 * thread is blocked by waiting. Any thread.
 */
public final class SnapshotTurns {
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean taken;

  SnapshotTurns() {}

  /**
   * Calls back when snapshots may be changed, at once or on the thread that ends the turn before.
   * The turn must be ended with {@link #end}.
   */
  public void take(Runnable turn) {
    synchronized (this) {
      if (taken) {
        waiting.add(turn);
        return;
      }
      taken = true;
    }
    turn.run();
  }

  /** Ends the turn. */
  public void end() {
    @Nullable Runnable next;
    synchronized (this) {
      next = waiting.poll();
      taken = next != null;
    }
    if (next != null) {
      next.run();
    }
  }
}
