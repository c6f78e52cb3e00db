package io.helenus.server.simulation.cluster;

import java.util.PriorityQueue;

/**
 * The time that all nodes of a simulated cluster share, and the events to come: {@link #step} runs
 * the next one. Events of the same moment run in the order in which they were added. Every event
 * goes into {@link #hash}, so that two runs of a seed can be compared. One thread.
 */
final class SimTime {
  /** An event to come. */
  static final class Event implements Comparable<Event> {
    private final long nanos;
    private final long order;
    private final Runnable task;
    private boolean cancelled;

    private Event(long nanos, long order, Runnable task) {
      this.nanos = nanos;
      this.order = order;
      this.task = task;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nanos;
  private long added;
  private long steps;
  private long hash = 0xCBF29CE484222325L;

  /** Nanoseconds since the run began. */
  long nanos() {
    return nanos;
  }

  /** The number of events that have run. */
  long steps() {
    return steps;
  }

  /** The hash of all events so far. */
  long hash() {
    return hash;
  }

  /** Adds a number to the hash of events. */
  void note(long event) {
    hash = (hash ^ event) * 0x100000001B3L;
    hash ^= hash >>> 29;
  }

  /** Runs a task at a moment, or now if that has passed. */
  Event at(long atNanos, Runnable task) {
    Event event = new Event(Math.max(nanos, atNanos), added++, task);
    events.add(event);
    return event;
  }

  /** Runs a task after a delay. */
  Event after(long delayNanos, Runnable task) {
    return at(nanos + delayNanos, task);
  }

  /** Runs the next event; returns false if there is none. */
  boolean step() {
    return stepUntil(Long.MAX_VALUE);
  }

  /** Runs the next event unless it is later than this; returns false if there is none. */
  private boolean stepUntil(long endNanos) {
    while (true) {
      Event next = events.peek();
      if (next == null || !next.cancelled && next.nanos > endNanos) {
        return false;
      }
      events.remove();
      if (!next.cancelled) {
        nanos = next.nanos;
        steps++;
        note(nanos);
        next.task.run();
        return true;
      }
    }
  }

  /** Runs the events of this long a time. */
  void runFor(long forNanos) {
    long end = nanos + forNanos;
    while (stepUntil(end)) {
      // as long as there are events
    }
    nanos = end;
  }
}
