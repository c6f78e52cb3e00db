package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a table {@code (k int, c int, s set<int>, m map<int, int>, l list<int>, PRIMARY KEY (k, c))}
 * contains after writes with explicit timestamps, in any order: for each cell the winning write,
 * hidden by every deletion that is not older. The elements of a list are numbered as they are
 * appended and prepended. Not thread-safe.
 */
final class CollectionModel {
  private static final long NEVER = Long.MIN_VALUE;

  private final Map<Integer, Partition> partitions = new TreeMap<>();
  private long lastAppended;
  private long firstPrepended;

  private static final class Partition {
    final Map<Integer, Row> rows = new TreeMap<>();
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

  private Row row(int k, int c) {
    return partitions
        .computeIfAbsent(k, ignored -> new Partition())
        .rows
        .computeIfAbsent(c, ignored -> new Row());
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

  void deletePartition(int k, long timestamp) {
    Partition partition = partitions.computeIfAbsent(k, ignored -> new Partition());
    partition.deletedAt = Math.max(partition.deletedAt, timestamp);
  }

  /**
   * The rows of a partition as text: {@code c | s | writetime(s) | m | ttl(m) | l | writetime(l)},
   * then the slice of the map and the element of the set with this key.
   */
  List<String> read(int k, int key, long now) {
    List<String> read = new ArrayList<>();
    Partition partition = partitions.get(k);
    if (partition == null) {
      return read;
    }
    for (Map.Entry<Integer, Row> entry : partition.rows.entrySet()) {
      Row row = entry.getValue();
      long deletedAt = Math.max(row.deletedAt, partition.deletedAt);
      TreeMap<Long, Cell> set = live(row, "s", deletedAt, now);
      TreeMap<Long, Cell> map = live(row, "m", deletedAt, now);
      TreeMap<Long, Cell> list = live(row, "l", deletedAt, now);
      boolean alive = row.liveness != null && row.liveness.isLive(deletedAt, now);
      if (alive || !set.isEmpty() || !map.isEmpty() || !list.isEmpty()) {
        read.add(
            entry.getKey()
                + " | "
                + braced(set.keySet().stream().map(String::valueOf).toList())
                + " | "
                + writeTimes(set)
                + " | "
                + braced(entries(map))
                + " | "
                + timesToLive(map, now)
                + " | "
                + bracketed(list.values().stream().map(each -> "" + each.value).toList())
                + " | "
                + writeTimes(list)
                + " | "
                + braced(entries(new TreeMap<>(map.tailMap((long) key))))
                + " | "
                + (set.containsKey((long) key) ? "" + key : "null"));
      }
    }
    return read;
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

  private static List<String> entries(TreeMap<Long, Cell> map) {
    return map.entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue().value)
        .toList();
  }

  private static String writeTimes(TreeMap<Long, Cell> cells) {
    return bracketed(cells.values().stream().map(each -> "" + each.times.timestamp).toList());
  }

  private static String timesToLive(TreeMap<Long, Cell> cells, long now) {
    return bracketed(
        cells.values().stream()
            .map(each -> each.times.ttl == 0 ? "null" : "" + (each.expiry() - now))
            .toList());
  }

  private static String braced(List<String> texts) {
    return texts.isEmpty() ? "null" : "{" + String.join(", ", texts) + "}";
  }

  private static String bracketed(List<String> texts) {
    return texts.isEmpty() ? "null" : "[" + String.join(", ", texts) + "]";
  }
}
