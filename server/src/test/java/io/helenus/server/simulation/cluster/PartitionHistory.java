package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.CellModel.Written;
import io.helenus.server.simulation.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that was sent for one partition of a table, by cell. */
final class PartitionHistory {
  private static final int VALUES = 6;

  /** The name of the liveness of a row among its cells. */
  static final String LIVENESS = "";

  /** The clustering of a row: c ascending, d descending. */
  record Key(int c, int d) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return c != other.c ? Integer.compare(c, other.c) : Integer.compare(other.d, d);
    }
  }

  /** A deletion of more than one cell. */
  private record Deletion(Change change, Mutation mutation) {}

  /** Something that was sent. */
  private record Sent(Change change, Mutation mutation) {}

  final Map<String, CellHistory> statics = new TreeMap<>();
  final Map<Key, Map<String, CellHistory>> rows = new TreeMap<>();
  private final List<Deletion> deletions = new ArrayList<>();
  private final List<Integer> valuesOfV = new ArrayList<>();
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<Sent> all = new ArrayList<>();

  /** Reads that were sent before may still repair parts of what is sent until then. */
  private long tornUntilNanos = Long.MIN_VALUE;

  /**
   * The history after a truncation: what was answered before it was sent is gone, and of the rest
   * nothing is known.
   */
  PartitionHistory truncated(long sentNanos) {
    PartitionHistory left = new PartitionHistory();
    for (Sent each : all) {
      if (each.mutation.answeredNanos >= sentNanos) {
        each.mutation.mayBeTruncated();
        left.add(each.change, each.mutation);
      }
    }
    left.tornUntilNanos = tornUntilNanos;
    return left;
  }

  void add(Change change, Mutation mutation) {
    all.add(new Sent(change, mutation));
    if (mutations.isEmpty() || mutations.getLast() != mutation) {
      mutation.mayBeTorn |= mutation.submittedNanos < tornUntilNanos;
      mutations.add(mutation);
    }
    switch (change) {
      case Change.Cells cells -> {
        noteValue(cells);
        Key key = new Key(cells.c(), cells.d());
        Map<String, CellHistory> row = rows.computeIfAbsent(key, each -> new TreeMap<>());
        for (String column : List.of(LIVENESS, "v", "w")) {
          cell(row, key, column);
        }
        if (cells.insert()) {
          cell(row, key, LIVENESS).add(written(cells, 1, cells.ttl()), mutation);
        }
        cells
            .values()
            .forEach(
                (column, value) ->
                    cell(row, key, column).add(written(cells, value, cells.ttl()), mutation));
      }
      case Change.Static cells ->
          cells
              .values()
              .forEach(
                  (column, value) ->
                      cell(statics, null, column)
                          .add(written(cells, value, cells.ttl()), mutation));
      default -> delete(new Deletion(change, mutation));
    }
  }

  private static Written written(Change change, @Nullable Integer value, int ttl) {
    long seconds = change.seconds();
    return new Written(change.timestamp(), ttl, seconds + ttl, value, seconds, seconds);
  }

  /** The values that were sent to v last. */
  List<Integer> valuesOfV() {
    return List.copyOf(valuesOfV);
  }

  private void noteValue(Change.Cells cells) {
    if (cells.values().get("v") instanceof Integer value) {
      valuesOfV.add(value);
      if (valuesOfV.size() > VALUES) {
        valuesOfV.removeFirst();
      }
    }
  }

  /** A cell, which earlier deletions may cover. */
  private CellHistory cell(Map<String, CellHistory> row, @Nullable Key key, String column) {
    CellHistory known = row.get(column);
    if (known != null) {
      return known;
    }
    CellHistory cell = new CellHistory();
    row.put(column, cell);
    for (Deletion each : deletions) {
      if (covers(each.change, key, column)) {
        cell.add(written(each.change, null, 0), each.mutation);
      }
    }
    return cell;
  }

  private void delete(Deletion deletion) {
    deletions.add(deletion);
    statics.forEach((column, cell) -> delete(deletion, null, column, cell));
    rows.forEach((key, row) -> row.forEach((column, cell) -> delete(deletion, key, column, cell)));
  }

  private static void delete(
      Deletion deletion, @Nullable Key key, String column, CellHistory cell) {
    if (covers(deletion.change, key, column)) {
      cell.add(written(deletion.change, null, 0), deletion.mutation);
    }
  }

  /** Whether a deletion covers a cell; a static one has no key. */
  private static boolean covers(Change change, @Nullable Key key, String column) {
    return switch (change) {
      case Change.DeletePartition all -> true;
      case Change.DeleteRow row -> key != null && row.deletes(key.c, key.d);
      case Change.DeleteRange range -> key != null && range.deletes(key.c, key.d);
      case Change.DeleteMap map ->
          key != null && map.c() == key.c && map.d() == key.d && column.startsWith("m[");
      case Change.DeleteStaticMap map -> key == null && column.startsWith("sm[");
      case Change.Cells cells -> false;
      case Change.Static cells -> false;
    };
  }

  /** A read was sent that may repair parts of mutations until a moment. */
  void readInPart(long untilNanos) {
    tornUntilNanos = Math.max(tornUntilNanos, untilNanos);
    mutations.forEach(mutation -> mutation.mayBeTorn = true);
  }

  /** The elements of a map by key. */
  static Map<Integer, CellHistory> elements(Map<String, CellHistory> row, String column) {
    Map<Integer, CellHistory> elements = new TreeMap<>();
    row.forEach(
        (name, cell) -> {
          if (name.startsWith(column + "[")) {
            String key = name.substring(column.length() + 1, name.length() - 1);
            elements.put(Integer.valueOf(key), cell);
          }
        });
    return elements;
  }
}
