package io.helenus.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a table {@code (k int, c int, v int, w int, l list<int>, st int static, PRIMARY KEY (k, c))}
 * contains after writes that follow each other, each with a later timestamp than the one before:
 * the last write of a cell counts. Time is seconds, and moves forward. Not thread-safe.
 */
final class SequentialModel {
  private static final long FOREVER = Long.MAX_VALUE;

  private final Map<Integer, Partition> partitions = new TreeMap<>();
  private long now;

  private static final class Partition {
    final TreeMap<Integer, Row> rows = new TreeMap<>();
    @Nullable Cell st;
  }

  private static final class Row {
    @Nullable Cell liveness;
    @Nullable Cell v;
    @Nullable Cell w;
    List<Cell> l = new ArrayList<>();
  }

  private record Cell(int value, long expiry) {}

  /** A column that holds one number. */
  enum Scalar {
    V,
    W,
    ST;

    String cql() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Moves the time forward. */
  void at(long seconds) {
    now = seconds;
  }

  private Cell cell(int value, int ttl) {
    return new Cell(value, ttl == 0 ? FOREVER : now + ttl);
  }

  private @Nullable Cell live(@Nullable Cell cell) {
    return cell != null && now < cell.expiry ? cell : null;
  }

  private Partition partition(int k) {
    return partitions.computeIfAbsent(k, ignored -> new Partition());
  }

  private Row row(int k, int c) {
    return partition(k).rows.computeIfAbsent(c, ignored -> new Row());
  }

  /** The live elements; drops the others. */
  private List<Cell> elements(Row row) {
    row.l.removeIf(each -> live(each) == null);
    return row.l;
  }

  private boolean exists(Row row) {
    return live(row.liveness) != null
        || live(row.v) != null
        || live(row.w) != null
        || !elements(row).isEmpty();
  }

  // ---- writes

  void insert(int k, int c, int ttl) {
    row(k, c).liveness = cell(0, ttl);
  }

  /** Sets a number, or deletes it. */
  void set(int k, int c, Scalar column, @Nullable Integer value, int ttl) {
    Cell cell = value == null ? null : cell(value, ttl);
    switch (column) {
      case V -> row(k, c).v = cell;
      case W -> row(k, c).w = cell;
      case ST -> partition(k).st = cell;
    }
  }

  void setList(int k, int c, List<Integer> values, int ttl) {
    row(k, c).l = cells(values, ttl);
  }

  void append(int k, int c, List<Integer> values, int ttl) {
    row(k, c).l.addAll(cells(values, ttl));
  }

  void prepend(int k, int c, List<Integer> values, int ttl) {
    row(k, c).l.addAll(0, cells(values, ttl));
  }

  void removeAll(int k, int c, List<Integer> values) {
    row(k, c).l.removeIf(each -> values.contains(each.value));
  }

  /** Sets the element of a valid index, or deletes it. */
  void setElement(int k, int c, int index, @Nullable Integer value, int ttl) {
    List<Cell> elements = elements(row(k, c));
    if (value == null) {
      elements.remove(index);
    } else {
      elements.set(index, cell(value, ttl));
    }
  }

  void deleteRow(int k, int c) {
    partition(k).rows.remove(c);
  }

  /** Deletes the rows from one value of c to another, both inclusive. */
  void deleteRange(int k, int fromC, int toC) {
    partition(k).rows.subMap(fromC, true, toC, true).clear();
  }

  void deletePartition(int k) {
    partitions.remove(k);
  }

  private List<Cell> cells(List<Integer> values, int ttl) {
    List<Cell> cells = new ArrayList<>();
    values.forEach(each -> cells.add(cell(each, ttl)));
    return cells;
  }

  // ---- reads

  boolean exists(int k, int c) {
    return exists(row(k, c));
  }

  @Nullable Integer number(int k, int c, Scalar column) {
    Cell live =
        live(
            switch (column) {
              case V -> row(k, c).v;
              case W -> row(k, c).w;
              case ST -> partition(k).st;
            });
    return live == null ? null : live.value;
  }

  List<Integer> list(int k, int c) {
    return elements(row(k, c)).stream().map(Cell::value).toList();
  }

  /**
   * The rows of a partition from one value of c to another: c, v, w, l, st and ttl(v) in CQL. A
   * partition with nothing but a static value has one row without c, if the whole partition is
   * read.
   */
  List<List<String>> read(int k, int fromC, int toC) {
    Partition partition = partition(k);
    List<List<String>> read = new ArrayList<>();
    partition
        .rows
        .subMap(fromC, true, toC, true)
        .forEach(
            (c, row) -> {
              if (exists(row)) {
                read.add(values("" + c, row, partition));
              }
            });
    boolean whole = fromC == Integer.MIN_VALUE && toC == Integer.MAX_VALUE;
    if (read.isEmpty() && whole && live(partition.st) != null) {
      read.add(values("null", new Row(), partition));
    }
    return read;
  }

  private List<String> values(String c, Row row, Partition partition) {
    List<Integer> list = elements(row).stream().map(Cell::value).toList();
    Cell v = live(row.v);
    String ttl = v == null || v.expiry == FOREVER ? "null" : "" + (v.expiry - now);
    return List.of(
        c,
        text(v),
        text(live(row.w)),
        list.isEmpty() ? "null" : "" + list,
        text(live(partition.st)),
        ttl);
  }

  private static String text(@Nullable Cell cell) {
    return cell == null ? "null" : Objects.toString(cell.value);
  }
}
