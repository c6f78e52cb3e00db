package io.helenus.server.simulation;

import io.helenus.storage.testing.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The possible contents of a partition of a table after a list of changes, computed in the slow and
 * obvious way by the rules of timestamps, deletions and expiry.
 */
public final class PartitionModel {
  private static final List<String> REGULAR = List.of("v", "w");

  /**
   * The differences between rows and the model.
   *
   * @param count the number of cells and rows that differ
   * @param violation the kind of the first difference
   */
  record Mismatch(int count, Violation violation, String text) {}

  private record Key(int c, int d) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return c != other.c ? Integer.compare(c, other.c) : Integer.compare(other.d, d);
    }
  }

  private final int p;
  private final boolean hasW;
  private final List<Applied> changes;
  private final Map<String, CellModel> statics = new TreeMap<>();
  private final Map<Key, Map<String, CellModel>> rows = new TreeMap<>();

  /**
   * A model of one partition.
   *
   * @param droppedAt the newest timestamp at which column w was dropped
   */
  public PartitionModel(int p, List<Applied> changes, boolean hasW, long droppedAt) {
    this.p = p;
    this.hasW = hasW;
    this.changes = changes;
    for (Applied applied : changes) {
      if (applied.change instanceof Change.Cells cells) {
        Map<String, CellModel> row =
            rows.computeIfAbsent(new Key(cells.c(), cells.d()), key -> emptyRow(droppedAt));
        cells
            .values()
            .forEach((column, value) -> cell(row, column).write(applied, value, cells.ttl()));
        if (cells.insert()) {
          cell(row, "").write(applied, 1, cells.ttl());
        }
      } else if (applied.change instanceof Change.Static only) {
        only.values()
            .forEach((column, value) -> cell(statics, column).write(applied, value, only.ttl()));
      }
    }
    for (Applied applied : changes) {
      rows.forEach((key, row) -> delete(key, row, applied.change));
      if (applied.change instanceof Change.DeletePartition all) {
        statics.values().forEach(cell -> cell.delete(all));
      } else if (applied.change instanceof Change.DeleteStaticMap map) {
        elements(statics, "sm").values().forEach(cell -> cell.delete(map));
      }
    }
  }

  private static void delete(Key key, Map<String, CellModel> row, Change change) {
    if (change.deletes(key.c, key.d)) {
      row.values().forEach(cell -> cell.delete(change));
    } else if (change instanceof Change.DeleteMap map && map.c() == key.c && map.d() == key.d) {
      elements(row, "m").values().forEach(cell -> cell.delete(map));
    }
  }

  private static Map<String, CellModel> emptyRow(long droppedAt) {
    Map<String, CellModel> row = new TreeMap<>();
    row.put("", new CellModel(Long.MIN_VALUE));
    row.put("v", new CellModel(Long.MIN_VALUE));
    row.put("w", new CellModel(droppedAt));
    return row;
  }

  private static CellModel cell(Map<String, CellModel> row, String column) {
    return row.computeIfAbsent(column, name -> new CellModel(Long.MIN_VALUE));
  }

  /** The elements of a map by key. */
  private static Map<Integer, CellModel> elements(Map<String, CellModel> row, String column) {
    Map<Integer, CellModel> elements = new TreeMap<>();
    row.forEach(
        (name, cell) -> {
          if (name.startsWith(column + "[")) {
            String key = name.substring(column.length() + 1, name.length() - 1);
            elements.put(Integer.valueOf(key), cell);
          }
        });
    return elements;
  }

  private static Map<Integer, Integer> usual(Map<String, CellModel> row, String column, long now) {
    Map<Integer, Integer> values = new TreeMap<>();
    elements(row, column)
        .forEach(
            (key, cell) -> {
              Integer value = cell.usual(now);
              if (value != null) {
                values.put(key, value);
              }
            });
    return values;
  }

  /** The rows if nothing has been purged. */
  public List<Row> usualRows(long now) {
    List<Row> found = new ArrayList<>();
    Integer s = cell(statics, "s").usual(now);
    Map<Integer, Integer> sm = usual(statics, "sm", now);
    rows.forEach(
        (key, row) -> {
          Integer v = cell(row, "v").usual(now);
          Integer w = hasW ? cell(row, "w").usual(now) : null;
          Map<Integer, Integer> m = usual(row, "m", now);
          if (v != null || w != null || !m.isEmpty() || cell(row, "").usual(now) != null) {
            found.add(new Row(p, key.c, key.d, s, sm, v, w, m));
          }
        });
    if (found.isEmpty() && (s != null || !sm.isEmpty())) {
      found.add(new Row(p, null, null, s, sm, null, null, Map.of()));
    }
    return found;
  }

  /**
   * The differences of observed rows; null if they are admissible.
   *
   * @param onlyKey the only element of the maps that was read; null for all
   */
  @Nullable Mismatch compare(
      List<Row> seen, long first, long last, boolean slice, @Nullable Integer onlyKey) {
    Differences differences = new Differences(first, last, onlyKey);
    Row before = null;
    Map<Key, Row> byKey = new TreeMap<>();
    for (Row row : seen) {
      if (row.p() != p || before != null && !before.isBefore(row)) {
        differences.add(
            before != null && row.hasKeyOf(before) ? Violation.REPEATED_ROW : Violation.WRONG_ROW,
            "row " + row + " after " + before);
      }
      before = row;
      differences.cell("static s", row.s(), cell(statics, "s"));
      differences.map("static sm", row.sm(), elements(statics, "sm"), true);
      if (row.c() != null && row.d() != null) {
        byKey.put(new Key(row.c(), row.d()), row);
      }
    }
    if (seen.isEmpty() && !slice) {
      differences.cell("static s", null, cell(statics, "s"));
      differences.map("static sm", Map.of(), elements(statics, "sm"), false);
    }
    rows.forEach((key, row) -> compare(key, row, byKey.remove(key), differences));
    byKey.values().forEach(row -> differences.add(Violation.WRONG_ROW, "unknown " + row));
    return differences.first == null
        ? null
        : new Mismatch(
            differences.count,
            differences.first,
            differences.text
                + "\n  expected "
                + usualRows(first)
                + "\n  but saw  "
                + seen
                + "\n  after "
                + changes);
  }

  private void compare(
      Key key, Map<String, CellModel> row, @Nullable Row seen, Differences differences) {
    if (seen != null) {
      differences.cell(key + " v", seen.v(), cell(row, "v"));
      if (hasW) {
        differences.cell(key + " w", seen.w(), cell(row, "w"));
      }
      differences.map(key + " m", seen.m(), elements(row, "m"), true);
      if (seen.v() == null
          && seen.w() == null
          && seen.m().isEmpty()
          && !differences.mayHaveOthers(elements(row, "m"))
          && !differences.admissible(cell(row, "")).contains(1)) {
        differences.add(Violation.RESURRECTED, key + " is returned without a live cell");
      }
      return;
    }
    for (String column : REGULAR) {
      if (hasW || column.equals("v")) {
        differences.cell(key + " " + column, null, cell(row, column));
      }
    }
    differences.map(key + " m", Map.of(), elements(row, "m"), false);
    if (!differences.admissible(cell(row, "")).contains(null)) {
      differences.add(Violation.LOST_WRITE, key + " was inserted but is not returned");
    }
  }

  /** Collects differences. */
  private static final class Differences {
    private final long firstSecond;
    private final long lastSecond;
    private final @Nullable Integer onlyKey;
    private int count;
    private @Nullable Violation first;
    private String text = "";

    Differences(long firstSecond, long lastSecond, @Nullable Integer onlyKey) {
      this.firstSecond = firstSecond;
      this.lastSecond = lastSecond;
      this.onlyKey = onlyKey;
    }

    void add(Violation violation, String what) {
      if (first == null) {
        first = violation;
        text = what;
      }
      count++;
    }

    Set<@Nullable Integer> admissible(CellModel model) {
      return model.admissible(firstSecond, lastSecond);
    }

    /** Compares the elements of a map, which may have been read by one key only. */
    void map(
        String name, Map<Integer, Integer> seen, Map<Integer, CellModel> model, boolean selected) {
      model.forEach(
          (key, cell) -> {
            if (!selected || onlyKey == null || onlyKey.equals(key)) {
              cell(Change.element(name, key), seen.get(key), cell);
            }
          });
      seen.forEach(
          (key, value) -> {
            if (!model.containsKey(key)) {
              add(Violation.WRONG_ROW, Change.element(name, key) + " was never written");
            }
          });
    }

    /** Whether elements that were not selected may exist. */
    boolean mayHaveOthers(Map<Integer, CellModel> elements) {
      if (onlyKey == null) {
        return false;
      }
      return elements.values().stream()
          .anyMatch(cell -> admissible(cell).stream().anyMatch(java.util.Objects::nonNull));
    }

    void cell(String name, @Nullable Integer seen, CellModel model) {
      if (admissible(model).contains(seen)) {
        return;
      }
      if (seen != null && !model.everHeld(seen)) {
        add(Violation.WRONG_ROW, name + " is " + seen + ", which was never written");
      } else if (seen != null && model.usual(firstSecond) == null) {
        add(Violation.RESURRECTED, name + " is " + seen + ", which is deleted or expired");
      } else {
        add(Violation.LOST_WRITE, name + " shows " + seen + " for " + model.usual(firstSecond));
      }
    }
  }
}
