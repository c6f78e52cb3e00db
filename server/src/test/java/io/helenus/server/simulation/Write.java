package io.helenus.server.simulation;

import java.util.ArrayList;
import java.util.List;

/** A statement that changes rows, and the known part of its outcome. */
public final class Write {
  /** The effect of a write on one partition: one mutation, across all tables. */
  public record Part(Write write, int p, List<List<Applied>> changes) {}

  /** The statement. */
  public final String cql;

  /** When it was sent. */
  public final long seconds;

  /** Its mutations. */
  public final List<Part> parts = new ArrayList<>();

  int life;
  long submittedNanos;

  /** The time of its acknowledgement; Long.MAX_VALUE if it was not acknowledged. */
  long answeredNanos = Long.MAX_VALUE;

  /** A statement without effects yet. */
  public Write(String cql, long seconds) {
    this.cql = cql;
    this.seconds = seconds;
  }

  /** Adds an effect on a table. */
  public void add(int table, Change change) {
    Part part = null;
    for (Part each : parts) {
      if (each.p == change.p()) {
        part = each;
      }
    }
    if (part == null) {
      part = new Part(this, change.p(), new ArrayList<>());
      for (int i = 0; i < Model.TABLES; i++) {
        part.changes.add(new ArrayList<>());
      }
      parts.add(part);
    }
    part.changes.get(table).add(new Applied(change));
  }

  /** Whether it goes through the batch log. */
  boolean spansPartitions() {
    return parts.size() > 1;
  }

  /** Whether it changes rows of a table. */
  boolean changes(int table) {
    return parts.stream().anyMatch(part -> !part.changes.get(table).isEmpty());
  }

  /** Whether it changes rows of a table with a timestamp below this one. */
  boolean isOlder(int table, long timestamp) {
    return parts.stream()
        .flatMap(part -> part.changes.get(table).stream())
        .anyMatch(each -> each.change.timestamp() < timestamp);
  }

  /** The second from which an unfinished batch is dropped instead of being completed. */
  long replayedUntil() {
    return seconds + Model.GC_GRACE_SECONDS;
  }

  /** Records that it has reached the node by now, if ever. */
  void arrivedBy(long second) {
    for (Part part : parts) {
      part.changes.forEach(table -> table.forEach(each -> each.arrivedBySeconds = second));
    }
  }

  /** Removes its effect on a table. */
  void forget(int table) {
    parts.forEach(part -> part.changes.get(table).clear());
  }

  /**
   * Splits off its effect on a table as a write that may or may not be applied independently of the
   * rest.
   */
  Write split(int table) {
    Write split = new Write(cql, seconds);
    split.life = life;
    split.submittedNanos = submittedNanos;
    for (Part part : parts) {
      part.changes.get(table).forEach(each -> split.add(table, each.change));
    }
    forget(table);
    return split;
  }
}
