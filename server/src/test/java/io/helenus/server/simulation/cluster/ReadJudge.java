package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.cluster.PartitionHistory.Key;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares the rows of one answer with the {@link ClusterModel}. For one use. */
final class ReadJudge {
  private final ClusterModel model;
  private final ReadShape shape;
  private final List<Row> rows;
  private final Map<Integer, List<Row>> byPartition = new LinkedHashMap<>();
  private CellHistory.View view = new CellHistory.View(0, 0, 0, 0, Set.of());

  /** Mutations of which a value was seen. */
  private final Set<Mutation> sources = new HashSet<>();

  /** What to note once everything was found to be right. */
  private final List<Runnable> seen = new ArrayList<>();

  private long answeredNanos;

  ReadJudge(ClusterModel model, ReadShape shape, List<Row> rows) {
    this.model = model;
    this.shape = shape;
    this.rows = rows;
  }

  void judge(int asked, long sentNanos, long nanos, long second) {
    answeredNanos = nanos;
    view = new CellHistory.View(asked, model.replicas(), sentNanos, second, Set.of());
    split();
    requireLimits();
    judgeAll();
    seen.forEach(Runnable::run);
    if (shape.isWhole()) {
      view = new CellHistory.View(asked, model.replicas(), sentNanos, second, sources);
      try {
        judgeAll();
      } catch (ViolationError e) {
        throw violation(Violation.TORN_MUTATION, e.getMessage());
      }
    }
  }

  private ViolationError violation(Violation violation, String what) {
    StringBuilder all = new StringBuilder();
    rows.forEach(row -> all.append("\n    ").append(row));
    return new ViolationError(
        violation, shape.cql() + " of " + view.replicas() + " replicas: " + what + "\n  in" + all);
  }

  // order and limits

  private void split() {
    Integer before = null;
    for (Row row : rows) {
      if (row.p() < 0 || row.p() >= Model.PARTITIONS || !shape.asksFor(row.p())) {
        throw violation(Violation.WRONG_ROW, "no partition " + row.p() + " was asked for");
      }
      if (before == null || before != row.p()) {
        if (byPartition.containsKey(row.p())) {
          throw violation(Violation.REPEATED_ROW, "it returns to partition " + row.p());
        }
        if (before != null
            && shape.isScan()
            && ReadShape.token(before) > ReadShape.token(row.p())) {
          throw violation(Violation.WRONG_ROW, row.p() + " comes after " + before);
        }
        byPartition.put(row.p(), new ArrayList<>());
      }
      before = row.p();
      List<Row> others = byPartition.get(row.p());
      if (!others.isEmpty() && !shape.isBefore(others.getLast(), row)) {
        Row last = others.getLast();
        throw violation(
            row.hasKeyOf(last) ? Violation.REPEATED_ROW : Violation.WRONG_ROW,
            row + " after " + last);
      }
      others.add(row);
    }
  }

  private void requireLimits() {
    boolean tooMany =
        shape.limit() > 0 && rows.size() > shape.limit()
            || shape.perPartition() > 0
                && byPartition.values().stream().anyMatch(all -> all.size() > shape.perPartition());
    if (tooMany) {
      throw violation(Violation.WRONG_ROW, "there are more rows than asked for");
    }
  }

  /** Whether the answer ends in a partition because it has as many rows as were asked for. */
  private boolean isCut(int p) {
    List<Row> inPartition = byPartition.get(p);
    return inPartition != null
        && (inPartition.size() == shape.perPartition()
            || rows.size() == shape.limit() && rows.getLast().p() == p);
  }

  /** Whether the answer ends before a partition. */
  private boolean isBeyond(int p) {
    return shape.limit() > 0
        && rows.size() == shape.limit()
        && !byPartition.containsKey(p)
        && ReadShape.token(rows.getLast().p()) < ReadShape.token(p);
  }

  // rows

  private void judgeAll() {
    for (int p = 0; p < Model.PARTITIONS; p++) {
      if (shape.asksFor(p) && !isBeyond(p)) {
        judge(p, byPartition.getOrDefault(p, List.of()));
      }
    }
  }

  private void judge(int p, List<Row> inPartition) {
    PartitionHistory history = model.partition(shape.table(), p);
    Map<Key, Row> byKey = new TreeMap<>();
    for (Row row : inPartition) {
      if (!shape.selects(row)) {
        throw violation(Violation.WRONG_ROW, row + " was not asked for");
      }
      if (row.c() != null && row.d() != null) {
        byKey.put(new Key(row.c(), row.d()), row);
      }
      judgeStatics(p, history, row);
    }
    if (inPartition.isEmpty() && shape.lowC() == null && shape.filter() == null) {
      judgeStatics(p, history, new Row(p, null, null, null, Map.of(), null, null, Map.of()));
    }
    boolean isStaticOnly = !inPartition.isEmpty() && byKey.isEmpty();
    history.rows.forEach(
        (key, cells) -> {
          Row row = byKey.remove(key);
          if (row != null) {
            judgeSeen(p + " " + key, cells, row);
          } else if (shape.contains(key.c())
              && (isStaticOnly || !isCut(p) || !isAfter(key, inPartition.getLast()))) {
            judgeUnseen(p + " " + key, cells);
          }
        });
    for (Row row : byKey.values()) {
      throw violation(Violation.WRONG_ROW, row + " was never written");
    }
  }

  private boolean isAfter(Key key, Row last) {
    Row row = new Row(last.p(), key.c(), key.d(), null, Map.of(), null, null, Map.of());
    return shape.isBefore(last, row);
  }

  private void judgeStatics(int p, PartitionHistory history, Row row) {
    if (!shape.onlyV()) {
      cell(p + " s", history.statics.get("s"), row.s());
      map(p + " sm", history.statics, "sm", row.sm());
    }
  }

  private void judgeSeen(String where, Map<String, CellHistory> cells, Row row) {
    cell(where + " v", cells.get("v"), row.v());
    if (shape.onlyV()) {
      if (row.v() == null && cells.values().stream().noneMatch(this::mayBeLive)) {
        throw violation(Violation.RESURRECTED, where + " has no live cell");
      }
      return;
    }
    cell(where + " w", cells.get("w"), row.w());
    map(where + " m", cells, "m", row.m());
    if (row.v() == null && row.w() == null && row.m().isEmpty()) {
      cell(where + " liveness", cells.get(PartitionHistory.LIVENESS), 1);
    }
  }

  private boolean mayBeLive(CellHistory cell) {
    return cell.admitsOther(view, null);
  }

  private void judgeUnseen(String where, Map<String, CellHistory> cells) {
    Integer filter = shape.filter();
    if (filter == null) {
      cells.forEach((column, cell) -> cell(where + " " + column, cell, null));
      return;
    }
    CellHistory v = cells.get("v");
    if (v != null && v.admits(view, filter) && !v.admitsOther(view, filter)) {
      throw violation(
          Violation.LOST_WRITE, where + " with v = " + filter + " is missing" + v.describe(view));
    }
  }

  // cells

  private void map(
      String where, Map<String, CellHistory> cells, String column, Map<Integer, Integer> values) {
    Map<Integer, CellHistory> elements = PartitionHistory.elements(cells, column);
    elements.forEach((key, cell) -> cell(where + "[" + key + "]", cell, values.get(key)));
    values.forEach(
        (key, value) -> {
          if (!elements.containsKey(key)) {
            throw violation(Violation.WRONG_ROW, where + "[" + key + "] was never written");
          }
        });
  }

  private void cell(String where, @Nullable CellHistory cell, @Nullable Integer value) {
    if (cell == null) {
      if (value != null) {
        throw violation(Violation.WRONG_ROW, where + " is " + value + ", but was never written");
      }
      return;
    }
    if (!cell.admits(view, value)) {
      String is = where + " is " + value;
      String history = cell.describe(view);
      if (value != null && !cell.everHeld(value)) {
        throw violation(Violation.WRONG_ROW, is + ", which was never written" + history);
      }
      if (value != null && cell.isRefused(value)) {
        throw violation(Violation.REFUSED_WRITE_APPLIED, is + ", which was refused" + history);
      }
      boolean resurrected = value != null && cell.leastValue(view) == null;
      throw violation(
          resurrected ? Violation.RESURRECTED : Violation.LOST_WRITE,
          is + " instead of " + cell.leastValue(view) + history);
    }
    if (shape.filter() == null && (!shape.onlyV() || where.endsWith(" v"))) {
      CellHistory.View seenBy = view;
      seen.add(() -> cell.seen(seenBy, value, answeredNanos));
    }
    Mutation source = value == null ? null : cell.source(value);
    if (source != null && !source.mayBeTorn) {
      sources.add(source);
    }
  }
}
