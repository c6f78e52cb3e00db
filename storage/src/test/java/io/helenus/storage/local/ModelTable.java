package io.helenus.storage.local;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The expected contents of a table, computed from the history of all writes, independently of the
 * engine. Partition keys, clustering keys and values are numbers.
 */
final class ModelTable {
  static final long NEVER = Long.MAX_VALUE;
  static final int STATIC_COLUMN = 9;
  static final int MULTI_CELL_COLUMN = 5;

  /** A change to a partition. */
  sealed interface Action {}

  /**
   * Writes cells of a row by column. A null value is a tombstone; a TTL of 0 means no TTL.
   *
   * @param elements the change to the multi-cell column
   */
  record Put(
      boolean isStatic,
      int clustering,
      boolean insert,
      long timestamp,
      int ttl,
      long expirySeconds,
      TreeMap<Integer, @Nullable Integer> cells,
      Elements elements)
      implements Action {
    Put(
        boolean isStatic,
        int clustering,
        boolean insert,
        long timestamp,
        int ttl,
        long expirySeconds,
        TreeMap<Integer, @Nullable Integer> cells) {
      this(isStatic, clustering, insert, timestamp, ttl, expirySeconds, cells, Elements.UNTOUCHED);
    }
  }

  /**
   * Writes cells of the multi-cell column by path.
   *
   * @param replaces whether existing cells are deleted first
   */
  record Elements(boolean replaces, TreeMap<Integer, @Nullable Integer> cells) {
    static final Elements UNTOUCHED = new Elements(false, new TreeMap<>());
  }

  /** Deletes a row. */
  record DeleteRow(int clustering, long timestamp) implements Action {}

  /** Deletes the rows between two clustering keys, inclusive. */
  record DeleteRange(int from, int to, long timestamp) implements Action {}

  /** Deletes a partition. */
  record DeletePartition(long timestamp) implements Action {}

  private record Cell(long timestamp, @Nullable Integer value, int ttl, long expirySeconds) {
    /** Whether this cell supersedes another. */
    boolean beats(Cell other) {
      if (timestamp != other.timestamp) {
        return timestamp > other.timestamp;
      }
      Integer mine = value;
      Integer theirs = other.value;
      if (mine == null || theirs == null) {
        return mine == null;
      }
      if (ttl > 0 != other.ttl > 0) {
        return ttl > 0;
      }
      if (expirySeconds != other.expirySeconds) {
        return expirySeconds > other.expirySeconds;
      }
      return Integer.compareUnsigned(mine, theirs) > 0;
    }

    boolean isLive(long now) {
      return value != null && now < expirySeconds;
    }
  }

  private static final class Row {
    long deletion = Long.MIN_VALUE;
    @Nullable Cell liveness;
    final TreeMap<Integer, Cell> cells = new TreeMap<>();
    long elementsDeletion = Long.MIN_VALUE;
    final TreeMap<Integer, Cell> elements = new TreeMap<>();
  }

  private static final class Partition {
    long deletion = Long.MIN_VALUE;
    final List<DeleteRange> ranges = new ArrayList<>();
    final Row statics = new Row();
    final TreeMap<Integer, Row> rows = new TreeMap<>();
  }

  private final TreeMap<Integer, Partition> partitions = new TreeMap<>();

  void apply(int partitionKey, Action action) {
    Partition partition = partitions.computeIfAbsent(partitionKey, k -> new Partition());
    switch (action) {
      case DeletePartition all ->
          partition.deletion = Math.max(partition.deletion, all.timestamp());
      case DeleteRange range -> partition.ranges.add(range);
      case DeleteRow row -> {
        Row at = partition.rows.computeIfAbsent(row.clustering(), k -> new Row());
        at.deletion = Math.max(at.deletion, row.timestamp());
      }
      case Put put -> put(partition, put);
    }
  }

  private static void put(Partition partition, Put put) {
    Row row =
        put.isStatic()
            ? partition.statics
            : partition.rows.computeIfAbsent(put.clustering(), k -> new Row());
    if (put.insert()) {
      Cell liveness = new Cell(put.timestamp(), 0, put.ttl(), put.expirySeconds());
      Cell before = row.liveness;
      if (before == null || liveness.beats(before)) {
        row.liveness = liveness;
      }
    }
    put(put, put.cells(), row.cells);
    put(put, put.elements().cells(), row.elements);
    if (put.elements().replaces()) {
      row.elementsDeletion = Math.max(row.elementsDeletion, put.timestamp() - 1);
    }
  }

  private static void put(
      Put put, TreeMap<Integer, @Nullable Integer> written, TreeMap<Integer, Cell> cells) {
    written.forEach(
        (name, value) -> {
          Cell cell =
              value == null
                  ? new Cell(put.timestamp(), null, 0, NEVER)
                  : new Cell(put.timestamp(), value, put.ttl(), put.expirySeconds());
          Cell before = cells.get(name);
          if (before == null || cell.beats(before)) {
            cells.put(name, cell);
          }
        });
  }

  void clear() {
    partitions.clear();
  }

  /** The partition as text; empty if nothing in it is live. */
  String show(int partitionKey, long now, int from, int to, boolean reversed) {
    Partition partition = partitions.get(partitionKey);
    if (partition == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    String statics = show(partition.statics, partition.deletion, now);
    if (!statics.isEmpty()) {
      text.append("static").append(statics).append('\n');
    }
    NavigableMap<Integer, Row> rows = partition.rows.subMap(from, true, to, true);
    (reversed ? rows.descendingMap() : rows)
        .forEach(
            (clustering, row) -> {
              long deletion = Math.max(partition.deletion, row.deletion);
              for (DeleteRange range : partition.ranges) {
                if (range.from() <= clustering && clustering <= range.to()) {
                  deletion = Math.max(deletion, range.timestamp());
                }
              }
              String shown = show(row, deletion, now);
              if (!shown.isEmpty()) {
                text.append(clustering).append(shown).append('\n');
              }
            });
    return text.toString();
  }

  private static String show(Row row, long deletion, long now) {
    StringBuilder text = new StringBuilder();
    Cell liveness = row.liveness;
    if (liveness != null && liveness.timestamp() > deletion && liveness.isLive(now)) {
      text.append(" row@").append(liveness.timestamp());
    }
    show("c", row.cells, deletion, now, text);
    show("e", row.elements, Math.max(deletion, row.elementsDeletion), now, text);
    return text.toString();
  }

  private static void show(
      String kind, TreeMap<Integer, Cell> cells, long deletion, long now, StringBuilder text) {
    cells.forEach(
        (name, cell) -> {
          if (cell.timestamp() > deletion && cell.isLive(now)) {
            text.append(' ').append(kind).append(name).append('=').append(cell.value());
            text.append('@').append(cell.timestamp());
          }
        });
  }

  /** The keys of all partitions ever written. */
  Iterable<Integer> partitionKeys() {
    return partitions.keySet();
  }
}
