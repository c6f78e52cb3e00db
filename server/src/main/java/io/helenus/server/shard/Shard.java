package io.helenus.server.shard;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Scheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One single-threaded part of a node: an event loop that owns a slice of the token space. There are
 * no locks inside it; messages to other shards are collected during a tick and delivered with one
 * wake-up per target.
 *
 * <p>A tick is everything the loop handles before it polls for new work: incoming requests,
 * messages from other shards, continuations. It ends in this order: requests to other nodes leave,
 * the commit log is written (which releases responses), messages are delivered to other shards,
 * connections are flushed. No response is sent before the log records it depends on have been
 * handed to the operating system.
 *
 * <p>Work for a client contains its own failures. Any other exception from a task or from the end
 * of a tick halts the node (see {@link FatalErrors}): the event loop would otherwise swallow it,
 * and all later responses and messages of the tick would be lost.
 *
 * <p>All methods must be called on the shard's thread, unless they say otherwise; {@link #execute},
 * {@link #schedule} and {@link #fatal} may be called on any.
 */
public final class Shard implements Scheduler {
  private final int index;
  private final Scheduler loop;
  private final Clock clock;
  private final FatalErrors fatal;
  private final Runnable tickEnd = this::endTick;
  private final List<Outbox> outboxes = new ArrayList<>();

  // what a tick ends with; replaced as a whole, since a node of several runs before it is complete
  private volatile Runnable[] sends = {};
  private volatile Runnable[] flushes = {};
  private volatile Runnable logWrite = () -> {};
  private boolean tickScheduled;
  private long nanos;
  private boolean timeKnown;

  /**
   * Creates a shard on an event loop. The loop must not throw on tasks that arrive after it has
   * stopped.
   */
  public Shard(int index, Scheduler loop, Clock clock, FatalErrors fatal) {
    this.index = index;
    this.loop = loop;
    this.clock = clock;
    this.fatal = fatal;
  }

  /** The index of the shard, from 0. */
  public int index() {
    return index;
  }

  /** The handler for unexpected exceptions. Any thread. */
  public FatalErrors fatal() {
    return fatal;
  }

  /**
   * The monotonic time in nanoseconds as last read in this tick; reads the clock if it has not been
   * read yet. Accurate enough for latencies, because all responses of a tick are sent at its end.
   */
  public long nanos() {
    return timeKnown ? nanos : readClock();
  }

  /** Reads the clock and returns the monotonic time in nanoseconds. */
  public long readClock() {
    nanos = clock.nanos();
    timeKnown = true;
    return nanos;
  }

  /**
   * Sets the task that writes the shard's commit log at the end of each tick. To be called once,
   * before anything is written. Any thread.
   */
  public void logWrite(Runnable write) {
    logWrite = write;
  }

  /**
   * Adds a task for the end of each tick, before the log is written: for what must not wait for the
   * log and promises nothing, such as requests to other nodes. Any thread, one at a time.
   */
  public void beforeLogWrite(Runnable send) {
    sends = with(sends, send);
  }

  /** Adds a task for the end of each tick, after log and messages. Any thread, one at a time. */
  public void onTickEnd(Runnable flush) {
    flushes = with(flushes, flush);
  }

  private static Runnable[] with(Runnable[] tasks, Runnable task) {
    Runnable[] all = Arrays.copyOf(tasks, tasks.length + 1);
    all[tasks.length] = task;
    return all;
  }

  /**
   * Ensures that the end of this tick is scheduled; to be called by everything that adds work to
   * the loop.
   */
  public void tick() {
    if (!tickScheduled) {
      tickScheduled = true;
      loop.execute(tickEnd);
    }
  }

  /** Queues a task for another shard (or this one); it is delivered at the end of this tick. */
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
    try {
      for (Runnable send : sends) {
        send.run();
      }
      logWrite.run();
      deliver();
      for (Runnable flush : flushes) {
        flush.run();
      }
    } catch (Throwable e) {
      fatal.halt(e);
      throw e;
    }
    timeKnown = false;
  }

  private void deliver() {
    for (int i = 0; i < outboxes.size(); i++) {
      Batch batch = outboxes.get(i).batch;
      if (batch != null) {
        outboxes.get(i).batch = null;
        batch.target.loop.execute(batch);
      }
    }
  }

  private void run(Runnable task) {
    tick();
    try {
      task.run();
    } catch (Throwable e) {
      fatal.halt(e);
      throw e;
    }
  }

  /** Runs a task on the shard's thread, within a tick. Any thread. */
  @Override
  public void execute(Runnable task) {
    loop.execute(() -> run(task));
  }

  @Override
  public void executeLast(Runnable slice) {
    loop.executeLast(() -> run(slice));
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    return loop.schedule(() -> run(task), delayNanos);
  }

  private static final class Outbox {
    private @Nullable Batch batch;
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
        tasks = Arrays.copyOf(tasks, count * 2);
      }
      tasks[count++] = task;
    }

    @Override
    public void run() {
      target.tick();
      try {
        for (int i = 0; i < count; i++) {
          tasks[i].run();
        }
      } catch (Throwable e) {
        target.fatal.halt(e);
        throw e;
      }
    }
  }
}
