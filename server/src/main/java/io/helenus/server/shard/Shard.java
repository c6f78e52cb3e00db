package io.helenus.server.shard;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * One single-threaded part of a node: an event loop that owns a slice of the token space. Inside it
 * there are no locks; to another shard go messages, gathered during a tick and handed over with one
 * wake-up per target.
 *
 * <p>A tick is everything the loop handles before it looks for new work: requests that arrived,
 * messages of other shards, continuations. At its end, in this order: the commit log is written
 * (which releases answers), messages leave for other shards, connections are flushed. So no answer
 * leaves before what it rests on is with the operating system.
 *
 * <p>Every method but {@link #execute} belongs to the shard's own thread.
 */
public final class Shard implements Scheduler {
  private final int index;
  private final Scheduler loop;
  private final Runnable tickEnd = this::endTick;
  private final List<Outbox> outboxes = new ArrayList<>();
  private final List<Runnable> flushes = new ArrayList<>();
  private Runnable logWrite = () -> {};
  private final Clock clock;
  private boolean tickScheduled;
  private long nanos;
  private boolean timeKnown;

  /** A shard on this loop. */
  public Shard(int index, Scheduler loop, Clock clock) {
    this.index = index;
    this.loop = loop;
    this.clock = clock;
  }

  /** Its number, from 0. */
  public int index() {
    return index;
  }

  /**
   * The time as somebody last saw it in this tick, or while it ends; looks at the clock if nobody
   * has. For measuring: what is done in one tick is answered at its end anyway.
   */
  public long nanos() {
    return timeKnown ? nanos : look();
  }

  /** Looks at the clock. */
  public long look() {
    nanos = clock.nanos();
    timeKnown = true;
    return nanos;
  }

  /** What writes the shard's log at the end of each tick. Set once, before the first task. */
  public void logWrite(Runnable write) {
    logWrite = write;
  }

  /** Adds what is run at the end of each tick, after log and messages. Before the first task. */
  public void onTickEnd(Runnable flush) {
    flushes.add(flush);
  }

  /** Makes sure that this tick will be ended; to be called by whatever brings work to the loop. */
  public void tick() {
    if (!tickScheduled) {
      tickScheduled = true;
      loop.execute(tickEnd);
    }
  }

  /** Gathers a task for another shard (or this one); it leaves at the end of this tick. */
  public void send(Shard target, Runnable task) {
    while (outboxes.size() <= target.index) {
      outboxes.add(new Outbox());
    }
    Outbox outbox = outboxes.get(target.index);
    if (outbox.batch == null) {
      outbox.batch = new Batch(target);
    }
    outbox.batch.add(task);
    tick();
  }

  private void endTick() {
    tickScheduled = false;
    timeKnown = false;
    logWrite.run();
    for (int i = 0; i < outboxes.size(); i++) {
      Batch batch = outboxes.get(i).batch;
      if (batch != null) {
        outboxes.get(i).batch = null;
        batch.target.loop.execute(batch);
      }
    }
    for (int i = 0; i < flushes.size(); i++) {
      flushes.get(i).run();
    }
    timeKnown = false;
  }

  /** Runs a task on the shard's thread, within a tick. Any thread. */
  @Override
  public void execute(Runnable task) {
    loop.execute(
        () -> {
          tick();
          task.run();
        });
  }

  /**
   * Runs the next slice of long work after the loop has polled its sockets. With {@link #execute}
   * it would run in the same round of tasks: an event loop goes on with tasks for up to a second,
   * as long as there are any, before it polls again.
   */
  public void executeAfterPoll(Runnable slice) {
    Timer ignored = schedule(slice, 0);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    return loop.schedule(
        () -> {
          tick();
          task.run();
        },
        delayNanos);
  }

  private static final class Outbox {
    private @org.jspecify.annotations.Nullable Batch batch;
  }

  /** The messages of one tick for one target. */
  private static final class Batch implements Runnable {
    private final Shard target;
    private Runnable[] tasks = new Runnable[16];
    private int count;

    Batch(Shard target) {
      this.target = target;
    }

    void add(Runnable task) {
      if (count == tasks.length) {
        tasks = java.util.Arrays.copyOf(tasks, count * 2);
      }
      tasks[count++] = task;
    }

    @Override
    public void run() {
      target.tick();
      for (int i = 0; i < count; i++) {
        tasks[i].run();
      }
    }
  }
}
