package io.helenus.server.simulation;

import java.util.ArrayList;
import java.util.List;

/** A statement that changes rows, and what is known of its outcome. */
final class Write {
  /** What a write does to one partition: one mutation, over all tables. */
  record Part(Write write, int p, List<List<Applied>> changes) {}

  final String cql;
  final long seconds;
  final List<Part> parts = new ArrayList<>();
  int life;
  long submittedNanos;

  /** When it was acknowledged; Long.MAX_VALUE if it was not. */
  long answeredNanos = Long.MAX_VALUE;

  Write(String cql, long seconds) {
    this.cql = cql;
    this.seconds = seconds;
  }

  void add(int table, Change change) {
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

  /** It has reached the node by now, if it has at all. */
  void arrivedBy(long second) {
    for (Part part : parts) {
      part.changes.forEach(table -> table.forEach(each -> each.arrivedBySeconds = second));
    }
  }

  /** Leaves out what it does to a table. */
  void forget(int table) {
    parts.forEach(part -> part.changes.get(table).clear());
  }

  /**
   * Leaves out what it does to a table; that as a write that may happen or not without the rest.
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
