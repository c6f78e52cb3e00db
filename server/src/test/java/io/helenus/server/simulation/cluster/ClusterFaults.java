package io.helenus.server.simulation.cluster;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import java.util.function.BiConsumer;

/**
 * Begins faults and ends them after a while. A fault is drawn from the choices of its step alone,
 * and nothing but time ends it, so that a run without other steps has the same fault.
 */
final class ClusterFaults {
  private static final long MILLI = 1_000_000L;
  private static final long MICROS_OFF_LIMIT = 60_000_000L;

  /** How long after a fault requests may still fail, and connections be dialled again. */
  private static final long EFFECT_NANOS = 15_000 * MILLI;

  private final SimCluster cluster;
  private final SyncMode syncMode;
  private final Counts counts;
  private long disturbedUntilNanos = EFFECT_NANOS;

  ClusterFaults(SimCluster cluster, SyncMode syncMode, Counts counts) {
    this.cluster = cluster;
    this.syncMode = syncMode;
    this.counts = counts;
  }

  /** Whether a fault, or the start of the nodes, may make a request fail that was sent then. */
  boolean mayFail(long sentNanos) {
    return sentNanos <= disturbedUntilNanos;
  }

  private void disturbed(long forNanos) {
    disturbedUntilNanos =
        Math.max(disturbedUntilNanos, cluster.time().nanos() + forNanos + EFFECT_NANOS);
  }

  /** Begins a fault. */
  void begin(SimRandomness choices) {
    int host = choices.below(cluster.size());
    long millis = choices.percent(60) ? choices.below(800) : choices.below(15_000);
    switch (choices.below(18)) {
      case 0, 1, 2 -> kill(choices, host, millis);
      case 3, 15, 16 -> killAll(choices, millis);
      case 4 -> killAtOperation(choices, host, millis);
      case 5, 6 -> pause(host, millis);
      case 7 -> isolate(host, millis);
      case 8 -> cutOneWay(choices, host, millis);
      case 9 -> stallPath(choices, host, millis);
      case 10, 11 -> breakStream(choices, host);
      case 12 -> jump(choices, host);
      case 13 -> stallDisk(host, millis);
      case 14 -> stopAndStart(choices, host);
      default -> restartAll(choices, millis);
    }
  }

  /** Kills all nodes; one of them comes back after the others. */
  void killAllOneForLonger(SimRandomness choices) {
    boolean losePower = losesPower(choices);
    int last = choices.below(cluster.size());
    counts.add("kills of all");
    for (int host = 0; host < cluster.size(); host++) {
      cluster.kill(host, losePower);
      int millis = choices.below(300);
      restartLater(false, host, host == last ? 4_000 + 10 * millis : millis);
    }
  }

  private boolean losesPower(SimRandomness choices) {
    return syncMode != SyncMode.PERIODIC && choices.percent(50);
  }

  private void kill(SimRandomness choices, int host, long millis) {
    cluster.kill(host, losesPower(choices));
    counts.add("kills");
    restartLater(choices.percent(20), host, millis);
  }

  private void restartLater(boolean elsewhere, int host, long millis) {
    disturbed(millis * MILLI);
    int life = cluster.life(host);
    cluster
        .time()
        .after(
            millis * MILLI,
            () -> {
              if (!cluster.isRunning(host) && cluster.life(host) == life) {
                if (elsewhere) {
                  cluster.move(host);
                }
                start(host);
              }
            });
  }

  private void start(int host) {
    disturbed(0);
    cluster.start(host);
  }

  private void killAll(SimRandomness choices, long millis) {
    boolean losePower = losesPower(choices);
    counts.add("kills of all");
    for (int host = 0; host < cluster.size(); host++) {
      cluster.kill(host, losePower);
      restartLater(false, host, millis / 4 + choices.below(300));
    }
  }

  /** The process is killed at an operation within this time, or at its end. */
  private void killAtOperation(SimRandomness choices, int host, long millis) {
    if (!cluster.isRunning(host)) {
      return;
    }
    counts.add("kills");
    int life = cluster.life(host);
    cluster.killAtOperation(host, 1 + choices.below(30));
    disturbed(millis * MILLI);
    cluster
        .time()
        .after(
            millis * MILLI,
            () -> {
              if (cluster.life(host) == life) {
                cluster.kill(host, false);
                start(host);
              }
            });
  }

  private void pause(int host, long millis) {
    if (cluster.isRunning(host)) {
      counts.add("pauses");
      disturbed(millis * MILLI);
      cluster.pause(host, millis * MILLI);
    }
  }

  /** Cuts all ways from and to a node for a while. */
  void isolate(int host, long millis) {
    counts.add("partitions");
    cluster.trace("isolate node " + host + " for " + millis + " ms");
    paths(host, (there, back) -> cutFor(there, millis));
    paths(host, (there, back) -> cutFor(back, millis));
  }

  private void paths(int host, BiConsumer<SimPath, SimPath> action) {
    for (int other = 0; other < cluster.size(); other++) {
      if (other != host) {
        action.accept(cluster.network().path(host, other), cluster.network().path(other, host));
      }
    }
  }

  private void cutFor(SimPath path, long millis) {
    disturbed(millis * MILLI);
    path.cut();
    cluster.time().after(millis * MILLI, path::heal);
  }

  /** Another node, if there is one. */
  private int other(SimRandomness choices, int host) {
    int size = cluster.size();
    return size == 1 ? host : (host + 1 + choices.below(size - 1)) % size;
  }

  private void cutOneWay(SimRandomness choices, int host, long millis) {
    int other = other(choices, host);
    counts.add("one-way partitions");
    cluster.trace("cut the way from " + host + " to " + other + " for " + millis + " ms");
    cutFor(cluster.network().path(host, other), millis);
  }

  private void stallPath(SimRandomness choices, int host, long millis) {
    int other = other(choices, host);
    cluster.trace("stall the way from " + host + " to " + other + " for " + millis + " ms");
    disturbed(millis * MILLI);
    cluster.network().path(host, other).stall(millis * MILLI);
  }

  /** Breaks all streams of a node, which loses what is under way. */
  void breakStreams(int host) {
    cluster.trace("break all streams of node " + host);
    disturbed(0);
    cluster.breakStreams(host);
  }

  private void breakStream(SimRandomness choices, int host) {
    boolean halfOpen = choices.percent(50);
    if (cluster.breakStream(host, choices, halfOpen)) {
      cluster.trace((halfOpen ? "half-open" : "break") + " a stream of node " + host);
      counts.add(halfOpen ? "half-open streams" : "broken streams");
      disturbed(0);
    }
  }

  private void jump(SimRandomness choices, int host) {
    HostClock clock = cluster.clock(host);
    long micros = (choices.below(60_000) - 30_000) * 1_000L;
    if (Math.abs(clock.errorMicros() + micros) < MICROS_OFF_LIMIT) {
      cluster.trace("the clock of node " + host + " jumps by " + micros / 1_000 + " ms");
      counts.add("clock jumps");
      clock.jump(micros);
    }
  }

  private void stallDisk(int host, long millis) {
    if (cluster.isRunning(host)) {
      disturbed(millis * MILLI);
      cluster.stallDisk(host, millis * MILLI);
    }
  }

  private void stopAndStart(SimRandomness choices, int host) {
    if (cluster.isReady(host) && !cluster.isPaused(host)) {
      disturbed(0);
      counts.add("clean restarts");
      cluster.stop(host);
      if (!cluster.isRunning(host)) {
        if (choices.percent(30)) {
          cluster.move(host);
        }
        start(host);
      }
    }
  }

  /** All nodes come back, and all of them elsewhere. */
  private void restartAll(SimRandomness choices, long millis) {
    counts.add("moves of all");
    for (int host = 0; host < cluster.size(); host++) {
      cluster.kill(host, false);
      restartLater(true, host, millis / 8 + choices.below(100));
    }
  }

  /** Ends all faults and starts what does not run. */
  void heal() {
    cluster.trace("heal");
    for (int host = 0; host < cluster.size(); host++) {
      for (int other = 0; other < cluster.size(); other++) {
        cluster.network().path(host, other).heal();
      }
      cluster.resume(host);
      if (!cluster.isRunning(host)) {
        start(host);
      }
    }
    for (int host = 0; host < cluster.size(); host++) {
      int index = host;
      cluster.await(() -> cluster.isReady(index), 60_000 * MILLI, "readiness of node " + host);
    }
  }

  /** Ends all faults and waits until their effects are over. */
  void calm() {
    heal();
    while (mayFail(cluster.time().nanos())) {
      cluster.time().runFor(disturbedUntilNanos + 1 - cluster.time().nanos());
      heal();
    }
  }
}
