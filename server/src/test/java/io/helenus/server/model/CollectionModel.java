package io.helenus.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a table {@code (k int, c int, s set<int>, m map<int, text>, l list<int>, ss set<int> static,
 * sm map<int, text> static, PRIMARY KEY (k, c))} contains after writes with explicit timestamps, in
 * any order: for each cell the winning write, hidden by every deletion that is not older. Elements
 * of a list are numbered as they are appended and prepended; the texts are made from numbers. Not
 * thread-safe.
 */
final class CollectionModel {
  /** In place of the clustering of a row: the static row. */
  static final int STATIC = -1;

  private static final long NEVER = Long.MIN_VALUE;
  private static final int TEXT_LENGTH = 120;

  private final Map<Integer, Partition> partitions = new TreeMap<>();
  private long lastAppended;
  private long firstPrepended;

  private static final class Partition {
    final TreeMap<Integer, Row> rows = new TreeMap<>();
    final Row statics = new Row();
    final List<RangeDeletion> ranges = new ArrayList<>();
    long deletedAt = NEVER;
  }

  private static final class Row {
    @Nullable Cell liveness;
    long deletedAt = NEVER;
    final Map<String, Column> columns = new TreeMap<>();
  }

  private static final class Column {
    long deletedAt = NEVER;
    final TreeMap<Long, Cell> cells = new TreeMap<>();
  }

  private record RangeDeletion(int fromC, int toC, long timestamp) {}

  /** When and for how long something is written. */
  record Times(long timestamp, int ttl, long now) {}

  /** A winning write; a null value is a deletion. */
  private record Cell(Times times, @Nullable Integer value) {
    long expiry() {
      return times.now + times.ttl;
    }

    /** Newest, then deletion, then expiring, then the later expiry, then the larger value. */
    boolean beats(Cell other) {
      if (times.timestamp != other.times.timestamp) {
        return times.timestamp > other.times.timestamp;
      }
      if (value == null || other.value == null) {
        return value == null;
      }
      if ((times.ttl > 0) != (other.times.ttl > 0)) {
        return times.ttl > 0;
      }
      if (times.ttl > 0 && expiry() != other.expiry()) {
        return expiry() > other.expiry();
      }
      if (times.ttl != other.times.ttl) {
        return times.ttl < other.times.ttl;
      }
      return Integer.compareUnsigned(value, other.value) > 0;
    }

    boolean isLive(long deletedAt, long now) {
      return value != null && times.timestamp > deletedAt && (times.ttl == 0 || now < expiry());
    }
  }

  /** What a selector returns of the elements it selects. */
  enum What {
    VALUE,
    WRITETIME,
    TTL
  }

  /**
   * A selector: a column, the elements of it from one key to another, or a single element, with
   * {@code to} equal to {@code from} and {@code single}; null leaves an end open.
   */
  record Selector(
      What what, String column, @Nullable Integer from, @Nullable Integer to, boolean single) {
    static Selector whole(What what, String column) {
      return new Selector(what, column, null, null, false);
    }

    String cql() {
      String elements = column;
      if (single) {
        elements += "[" + from + "]";
      } else if (from != null || to != null) {
        elements += "[" + (from == null ? "" : from) + ".." + (to == null ? "" : to) + "]";
      }
      return what == What.VALUE ? elements : what + "(" + elements + ")";
    }

    boolean isStatic() {
      return column.length() == 2;
    }

    boolean isSet() {
      return column.endsWith("s");
    }

    boolean isMap() {
      return column.endsWith("m");
    }
  }

  /** The text made from a number of a map, in the order of the numbers, as a literal. */
  static String text(int value) {
    StringBuilder text = new StringBuilder("'").append(String.format("%05d", value));
    long random = value;
    for (int i = 0; i < TEXT_LENGTH; i++) {
      random = random * 6364136223846793005L + 1442695040888963407L;
      text.append((char) ('a' + (random >>> 40) % 26));
    }
    return text.append('\'').toString();
  }

  private Partition partition(int k) {
    return partitions.computeIfAbsent(k, ignored -> new Partition());
  }

  private Row row(int k, int c) {
    Partition partition = partition(k);
    return c == STATIC
        ? partition.statics
        : partition.rows.computeIfAbsent(c, ignored -> new Row());
  }

  private Column column(int k, int c, String name) {
    return row(k, c).columns.computeIfAbsent(name, ignored -> new Column());
  }

  void insert(int k, int c, Times times) {
    Row row = row(k, c);
    Cell cell = new Cell(times, 0);
    if (row.liveness == null || cell.beats(row.liveness)) {
      row.liveness = cell;
    }
  }

  /** Sets the value of an element; null deletes it. */
  void put(int k, int c, String name, long path, @Nullable Integer value, Times times) {
    column(k, c, name)
        .cells
        .merge(path, new Cell(times, value), (old, added) -> added.beats(old) ? added : old);
  }

  void append(int k, int c, List<Integer> values, Times times) {
    for (int value : values) {
      put(k, c, "l", ++lastAppended, value, times);
    }
  }

  void prepend(int k, int c, List<Integer> values, Times times) {
    firstPrepended -= values.size();
    for (int i = 0; i < values.size(); i++) {
      put(k, c, "l", firstPrepended + i, values.get(i), times);
    }
  }

  void deleteColumn(int k, int c, String name, long timestamp) {
    Column column = column(k, c, name);
    column.deletedAt = Math.max(column.deletedAt, timestamp);
  }

  void deleteRow(int k, int c, long timestamp) {
    Row row = row(k, c);
    row.deletedAt = Math.max(row.deletedAt, timestamp);
  }

  /** Deletes the rows from one value of c to another, both inclusive. */
  void deleteRange(int k, int fromC, int toC, long timestamp) {
    partition(k).ranges.add(new RangeDeletion(fromC, toC, timestamp));
  }

  void deletePartition(int k, long timestamp) {
    Partition partition = partition(k);
    partition.deletedAt = Math.max(partition.deletedAt, timestamp);
  }

  /**
   * The rows of a partition from one value of c to another, as {@code c} and the selected values in
   * CQL. A partition with nothing but static values has a row without {@code c}, if the whole
   * partition is read.
   */
  List<List<String>> read(int k, int fromC, int toC, List<Selector> selectors, long now) {
    List<List<String>> read = new ArrayList<>();
    Partition partition = partitions.get(k);
    if (partition == null) {
      return read;
    }
    partition
        .rows
        .subMap(fromC, true, toC, true)
        .forEach(
            (c, row) -> {
              long deletedAt = deletedAt(partition, c, row);
              if (exists(row, deletedAt, now)) {
                read.add(values("" + c, partition, row, deletedAt, selectors, now));
              }
            });
    boolean whole = fromC == Integer.MIN_VALUE && toC == Integer.MAX_VALUE;
    if (read.isEmpty() && whole && exists(partition.statics, partition.deletedAt, now)) {
      read.add(values("null", partition, new Row(), NEVER, selectors, now));
    }
    return read;
  }

  private static long deletedAt(Partition partition, int c, Row row) {
    long deletedAt = Math.max(row.deletedAt, partition.deletedAt);
    for (RangeDeletion range : partition.ranges) {
      if (range.fromC <= c && c <= range.toC) {
        deletedAt = Math.max(deletedAt, range.timestamp);
      }
    }
    return deletedAt;
  }

  private static boolean exists(Row row, long deletedAt, long now) {
    return row.liveness != null && row.liveness.isLive(deletedAt, now)
        || row.columns.keySet().stream()
            .anyMatch(name -> !live(row, name, deletedAt, now).isEmpty());
  }

  private static List<String> values(
      String c, Partition partition, Row row, long deletedAt, List<Selector> selectors, long now) {
    List<String> values = new ArrayList<>(List.of(c));
    for (Selector selector : selectors) {
      TreeMap<Long, Cell> live =
          selector.isStatic()
              ? live(partition.statics, selector.column, partition.deletedAt, now)
              : live(row, selector.column, deletedAt, now);
      values.add(value(selector, live, now));
    }
    return values;
  }

  private static TreeMap<Long, Cell> live(Row row, String name, long deletedAt, long now) {
    TreeMap<Long, Cell> live = new TreeMap<>();
    Column column = row.columns.get(name);
    if (column != null) {
      long hidden = Math.max(deletedAt, column.deletedAt);
      column.cells.forEach(
          (path, cell) -> {
            if (cell.isLive(hidden, now)) {
              live.put(path, cell);
            }
          });
    }
    return live;
  }

  private static String value(Selector selector, TreeMap<Long, Cell> live, long now) {
    Map<Long, Cell> cells = live;
    if (selector.from != null) {
      cells = live.tailMap((long) selector.from, true);
    }
    if (selector.to != null) {
      cells = new TreeMap<>(cells).headMap((long) selector.to, true);
    }
    if (cells.isEmpty()) {
      return "null";
    }
    Function<Map.Entry<Long, Cell>, String> text =
        switch (selector.what) {
          case VALUE -> each -> element(selector, each.getKey(), each.getValue());
          case WRITETIME -> each -> "" + each.getValue().times.timestamp;
          case TTL ->
              each ->
                  each.getValue().times.ttl == 0 ? "null" : "" + (each.getValue().expiry() - now);
        };
    String joined = String.join(", ", cells.entrySet().stream().map(text).toList());
    if (selector.single) {
      return joined;
    }
    boolean isList = selector.what != What.VALUE || !selector.isSet() && !selector.isMap();
    return isList ? "[" + joined + "]" : "{" + joined + "}";
  }

  private static String element(Selector selector, long path, Cell cell) {
    Integer value = cell.value;
    if (value == null) {
      throw new AssertionError("a deletion is not live");
    }
    if (selector.isSet()) {
      return "" + path;
    }
    if (selector.isMap()) {
      return (selector.single ? "" : path + ": ") + text(value);
    }
    return "" + value;
  }
}
