package io.helenus.server.simulation.cluster;

import java.util.ArrayDeque;

/** One direction of a stream: what was sent arrives in order, when the path lets it. One thread. */
final class SimWire {
  private record Item(long arrivalNanos, Runnable arrival) {}

  private final SimTime time;
  private final SimPath path;
  private final ArrayDeque<Item> items = new ArrayDeque<>();
  private long lastArrivalNanos;
  private boolean armed;
  private boolean gone;

  SimWire(SimTime time, SimPath path) {
    this.time = time;
    this.path = path;
    path.add(this);
  }

  /** Whether nothing arrives any more. */
  boolean isGone() {
    return gone;
  }

  /** Loses what is under way and everything that follows. */
  void lose() {
    gone = true;
    items.clear();
  }

  void send(Runnable arrival) {
    if (!gone) {
      lastArrivalNanos = Math.max(lastArrivalNanos, time.nanos() + path.delayNanos());
      items.add(new Item(lastArrivalNanos, arrival));
      arm();
    }
  }

  /** Makes sure that the next item arrives, unless the path is blocked. */
  void arm() {
    if (!armed && !items.isEmpty() && !path.isBlocked()) {
      armed = true;
      time.at(items.getFirst().arrivalNanos, this::arrive);
    }
  }

  private void arrive() {
    armed = false;
    if (!items.isEmpty() && !path.isBlocked()) {
      items.remove().arrival.run();
      arm();
    }
  }
}
