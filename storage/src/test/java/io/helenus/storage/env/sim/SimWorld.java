package io.helenus.storage.env.sim;

import io.helenus.storage.env.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Runs all tasks in one thread: {@link #step} picks one of the runnable tasks according to the seed
 * and runs it to completion. A {@link #scheduler} runs its tasks in the order they arrive, a {@link
 * #pool} in any order. If nothing is runnable, the clock jumps to the next timer. Every choice goes
 * into {@link #hash}, so that two runs of a seed can be compared. Not thread safe.
 */
public final class SimWorld {
  private static final int TASK_NANOS_LIMIT = 20_000;

  private SimRandomness choices;
  private final SimRandomness forTheSystem;
  private final SimClock clock = new SimClock();
  private final List<Queue> queues = new ArrayList<>();
  private final PriorityQueue<SimTimer> timers = new PriorityQueue<>();
  private long timerCount;
  private long hash = 0xCBF29CE484222325L;
  private long steps;

  /** A world whose choices follow from a seed. */
  public SimWorld(long seed) {
    SimRandomness root = new SimRandomness(seed);
    choices = root.split();
    forTheSystem = root.split();
  }

  /** The clock. */
  public SimClock clock() {
    return clock;
  }

  /** Random bits for the system under test. */
  public SimRandomness randomness() {
    return forTheSystem;
  }

  /** A scheduler that runs its tasks in the order they arrive. */
  public Scheduler scheduler(String name) {
    return new Queue(name, true);
  }

  /** A pool that runs its tasks in any order; supports timers too. */
  public Scheduler pool(String name) {
    return new Queue(name, false);
  }

  /** Adds a number to the hash of events. */
  public void note(long event) {
    hash = (hash ^ event) * 0x100000001B3L;
    hash ^= hash >>> 29;
  }

  /** Adds a text to the hash of events. */
  public void note(String event) {
    for (int i = 0; i < event.length(); i++) {
      note(event.charAt(i));
    }
  }

  /** The hash of all events so far. */
  public long hash() {
    return hash;
  }

  /** The number of tasks that have run. */
  public long steps() {
    return steps;
  }

  /**
   * Reseeds the scheduling choices, so that later ones do not depend on how many were made before.
   */
  public void reseed(long seed) {
    choices = new SimRandomness(seed);
  }

  /** Delays the tasks of a scheduler or pool, as a hanging disk would. */
  public void stall(Scheduler stalled, long nanos) {
    for (Queue queue : queues) {
      if (queue == stalled) {
        queue.stalledUntilNanos = clock.nanos() + nanos;
        timers.add(new SimTimer(queue, () -> {}, queue.stalledUntilNanos, timerCount++));
      }
    }
  }

  /** Runs one task; returns false if there are neither tasks nor timers. */
  public boolean step() {
    fireTimers();
    int runnable = countRunnable();
    if (runnable == 0) {
      SimTimer next = timers.peek();
      while (next != null && next.cancelled) {
        timers.remove();
        next = timers.peek();
      }
      if (next == null) {
        return false;
      }
      clock.advance(Math.max(0, next.atNanos - clock.nanos()));
      fireTimers();
      runnable = countRunnable();
      if (runnable == 0) {
        return true;
      }
    }
    run(choices.below(runnable));
    return true;
  }

  private int countRunnable() {
    int count = 0;
    for (Queue queue : queues) {
      count += queue.choices();
    }
    return count;
  }

  private void run(int choice) {
    int rest = choice;
    for (int i = 0; i < queues.size(); i++) {
      Queue queue = queues.get(i);
      if (rest < queue.choices()) {
        Runnable task = queue.take(rest);
        clock.advance(choices.below(TASK_NANOS_LIMIT));
        steps++;
        note(i * 1_000L + rest);
        note(clock.nanos());
        task.run();
        return;
      }
      rest -= queue.choices();
    }
    throw new AssertionError("the choice is out of range");
  }

  private void fireTimers() {
    while (true) {
      SimTimer next = timers.peek();
      if (next == null || next.atNanos > clock.nanos()) {
        return;
      }
      timers.remove();
      if (!next.cancelled) {
        next.queue.execute(next.task);
      }
    }
  }

  /** Runs tasks until a condition holds; fails if no tasks are left or after too many steps. */
  public void runUntil(BooleanSupplier condition) {
    for (int i = 0; i < 10_000_000; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      if (!step()) {
        throw new AssertionError("no tasks are left to run, and the condition does not hold");
      }
    }
    throw new AssertionError("the condition does not hold after 10,000,000 steps");
  }

  /** Runs all tasks that are runnable now, including due timers, without advancing the clock. */
  public void runReady() {
    while (true) {
      fireTimers();
      if (countRunnable() == 0) {
        return;
      }
      boolean ran = step();
      assert ran;
    }
  }

  /** Advances the clock, running the tasks and timers that become due. */
  public void runFor(long nanos) {
    long end = clock.nanos() + nanos;
    while (true) {
      runReady();
      SimTimer next = timers.peek();
      if (next == null || next.atNanos > end) {
        clock.advance(Math.max(0, end - clock.nanos()));
        return;
      }
      boolean ran = step();
      assert ran;
    }
  }

  /** Simulates a crash: drops all tasks and timers. Schedulers created before stop working. */
  public void forgetTasks() {
    for (Queue queue : queues) {
      queue.dead = true;
    }
    queues.clear();
    timers.clear();
  }

  /** A scheduler or a pool. */
  private final class Queue implements Scheduler, Executor {
    private final String name;
    private final boolean inOrder;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayList<Runnable> unordered = new ArrayList<>();
    private boolean dead;
    private long stalledUntilNanos;

    Queue(String name, boolean inOrder) {
      this.name = name;
      this.inOrder = inOrder;
      queues.add(this);
    }

    @Override
    public void execute(Runnable task) {
      if (dead) {
        return;
      }
      if (inOrder) {
        tasks.add(task);
      } else {
        unordered.add(task);
      }
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      SimTimer timer = new SimTimer(this, task, clock.nanos() + delayNanos, timerCount++);
      if (!dead) {
        timers.add(timer);
      }
      return timer;
    }

    int choices() {
      if (clock.nanos() < stalledUntilNanos) {
        return 0;
      }
      return inOrder ? Math.min(1, tasks.size()) : unordered.size();
    }

    Runnable take(int which) {
      return inOrder ? tasks.remove() : unordered.remove(which);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final class SimTimer implements Scheduler.Timer, Comparable<SimTimer> {
    private final Queue queue;
    private final Runnable task;
    private final long atNanos;
    private final long order;
    private boolean cancelled;

    SimTimer(Queue queue, Runnable task, long atNanos, long order) {
      this.queue = queue;
      this.task = task;
      this.atNanos = atNanos;
      this.order = order;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(SimTimer other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }
}
