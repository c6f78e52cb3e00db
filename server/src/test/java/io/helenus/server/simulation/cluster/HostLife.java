package io.helenus.server.simulation.cluster;

import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One process of a machine: its event loops and pools. A task costs time, and the next one of the
 * same loop waits for that long; other loops and nodes do not. When the process dies, tasks and
 * timers are gone; while it is paused they wait. One thread.
 */
final class HostLife {
  private static final int TASK_NANOS_LIMIT = 20_000;
  private static final int POOL_NANOS_LIMIT = 400_000;

  private final SimTime time;
  private final HostClock clock;
  private final SimRandomness costs;
  private final Runnable crashed;
  private final List<Loop> loops = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private final String name;
  private boolean dead;
  private boolean off;
  private boolean paused;
  private long stalledUntilNanos;
  private @Nullable Loop running;

  /**
   * A process without event loops.
   *
   * @param name of the machine and the life, for traces
   * @param crashed runs when an operation on the disk has killed the process
   */
  HostLife(
      SimTime time,
      HostClock clock,
      SimRandomness costs,
      String name,
      int loops,
      Runnable crashed) {
    this.time = time;
    this.clock = clock;
    this.costs = costs;
    this.name = name;
    this.crashed = crashed;
    for (int i = 0; i < loops; i++) {
      this.loops.add(new Loop());
    }
  }

  List<Loop> loops() {
    return loops;
  }

  /** A pool that runs its tasks in any order. */
  Pool pool() {
    Pool pool = new Pool();
    pools.add(pool);
    return pool;
  }

  boolean isDead() {
    return dead;
  }

  boolean isPaused() {
    return paused;
  }

  /**
   * Ends the process.
   *
   * @param losesPower whether the machine is off, too
   */
  void die(boolean losesPower) {
    dead = true;
    off = losesPower;
  }

  /** Whether the process is dead because its machine is off. */
  boolean isOff() {
    return off;
  }

  void machineBooted() {
    off = false;
  }

  /** Suspends the process as SIGSTOP does. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    loops.forEach(Loop::arm);
    pools.forEach(Pool::release);
  }

  /** Suspends what waits for the disk. */
  void stallPools(long nanos) {
    stalledUntilNanos = time.nanos() + nanos;
    time.at(stalledUntilNanos, () -> pools.forEach(Pool::release));
  }

  /** Runs a part of the process; an operation on the disk may kill it. */
  void run(Runnable task) {
    try {
      task.run();
    } catch (SimulatedCrash crash) {
      crashed.run();
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** An event loop. */
  final class Loop implements Scheduler {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean armed;
    private long busyUntilNanos;

    @Override
    public void execute(Runnable task) {
      if (!dead) {
        tasks.add(task);
        arm();
      }
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      if (dead) {
        return () -> {};
      }
      return time.after(clock.trueDelay(delayNanos), () -> execute(task))::cancel;
    }

    HostLife life() {
      return HostLife.this;
    }

    /** Whether a task of this loop is running. */
    boolean isRunning() {
      return running == this;
    }

    private void arm() {
      if (!armed && !tasks.isEmpty() && !paused && !dead) {
        armed = true;
        time.at(busyUntilNanos, this::runNext);
      }
    }

    private void runNext() {
      armed = false;
      if (dead || paused) {
        return;
      }
      busyUntilNanos = time.nanos() + 1 + costs.below(TASK_NANOS_LIMIT);
      running = this;
      try {
        HostLife.this.run(tasks.remove());
      } finally {
        running = null;
      }
      arm();
    }
  }

  /** A pool of threads. */
  final class Pool implements Executor {
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      if (!dead) {
        time.after(1 + costs.below(POOL_NANOS_LIMIT), () -> runOrHold(task));
      }
    }

    private void runOrHold(Runnable task) {
      if (dead) {
        return;
      }
      if (paused || time.nanos() < stalledUntilNanos) {
        held.add(task);
      } else {
        HostLife.this.run(task);
      }
    }

    private void release() {
      List<Runnable> waiting = List.copyOf(held);
      held.clear();
      waiting.forEach(this::execute);
    }
  }
}
