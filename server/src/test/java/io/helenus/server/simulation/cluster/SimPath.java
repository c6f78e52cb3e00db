package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.ArrayList;
import java.util.List;

/**
 * The way of bytes from one machine to another: its delay, and whether it is cut. The way back is
 * another one. One thread.
 */
final class SimPath {
  private static final int BASE_NANOS_LIMIT = 400_000;
  private static final int JITTER_NANOS_LIMIT = 300_000;
  private static final int SPIKE_NANOS_LIMIT = 20_000_000;

  private final SimTime time;
  private final SimRandomness randomness;
  private final long baseNanos;
  private final List<SimWire> wires = new ArrayList<>();
  private boolean cut;
  private long stalledUntilNanos;

  SimPath(SimTime time, SimRandomness randomness) {
    this.time = time;
    this.randomness = randomness;
    this.baseNanos = 20_000 + randomness.below(BASE_NANOS_LIMIT);
  }

  SimRandomness randomness() {
    return randomness;
  }

  void add(SimWire wire) {
    wires.removeIf(SimWire::isGone);
    wires.add(wire);
  }

  /** How long the next bytes take. */
  long delayNanos() {
    long delay = baseNanos + randomness.below(JITTER_NANOS_LIMIT);
    return randomness.below(200) == 0 ? delay + randomness.below(SPIKE_NANOS_LIMIT) : delay;
  }

  boolean isCut() {
    return cut;
  }

  /** Whether nothing arrives now. */
  boolean isBlocked() {
    return cut || time.nanos() < stalledUntilNanos;
  }

  /** Nothing arrives until {@link #heal}; then everything does. */
  void cut() {
    cut = true;
  }

  void heal() {
    cut = false;
    release();
  }

  /** Nothing arrives for a while. */
  void stall(long nanos) {
    stalledUntilNanos = Math.max(stalledUntilNanos, time.nanos() + nanos);
    time.at(stalledUntilNanos, this::release);
  }

  private void release() {
    if (!isBlocked()) {
      List.copyOf(wires).forEach(SimWire::arm);
    }
  }
}
