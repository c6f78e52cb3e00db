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
final class PartitionModel {
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
  private final CellModel statics = new CellModel(Long.MIN_VALUE);
  private final Map<Key, Map<String, CellModel>> rows = new TreeMap<>();

  /**
   * A model of one partition.
   *
   * @param droppedAt the newest timestamp at which column w was dropped
   */
  PartitionModel(int p, List<Applied> changes, boolean hasW, long droppedAt) {
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
        statics.write(applied, only.value(), only.ttl());
      } else if (applied.change instanceof Change.DeletePartition all) {
        statics.delete(all);
      }
    }
    rows.forEach(
        (key, row) -> {
          for (Applied applied : changes) {
            if (applied.change.deletes(key.c, key.d)) {
              row.values().forEach(cell -> cell.delete(applied.change));
            }
          }
        });
  }

  private static Map<String, CellModel> emptyRow(long droppedAt) {
    Map<String, CellModel> row = new TreeMap<>();
    row.put("", new CellModel(Long.MIN_VALUE));
    row.put("v", new CellModel(Long.MIN_VALUE));
    row.put("w", new CellModel(droppedAt));
    return row;
  }

  private static CellModel cell(Map<String, CellModel> row, String column) {
    CellModel cell = row.get(column);
    if (cell == null) {
      throw new AssertionError("no column " + column);
    }
    return cell;
  }

  /** The rows if nothing has been purged. */
  List<Row> usualRows(long now) {
    List<Row> found = new ArrayList<>();
    Integer s = statics.usual(now);
    rows.forEach(
        (key, row) -> {
          Integer v = cell(row, "v").usual(now);
          Integer w = hasW ? cell(row, "w").usual(now) : null;
          if (v != null || w != null || cell(row, "").usual(now) != null) {
            found.add(new Row(p, key.c, key.d, s, v, w));
          }
        });
    if (found.isEmpty() && s != null) {
      found.add(new Row(p, null, null, s, null, null));
    }
    return found;
  }

  /** The differences of observed rows; null if they are admissible. */
  @Nullable Mismatch compare(List<Row> seen, long first, long last, boolean slice) {
    Differences differences = new Differences(first, last);
    Row before = null;
    Map<Key, Row> byKey = new TreeMap<>();
    for (Row row : seen) {
      if (row.p() != p || before != null && !before.isBefore(row)) {
        differences.add(
            before != null && row.hasKeyOf(before) ? Violation.REPEATED_ROW : Violation.WRONG_ROW,
            "row " + row + " after " + before);
      }
      before = row;
      differences.cell("static", row.s(), statics);
      if (row.c() != null && row.d() != null) {
        byKey.put(new Key(row.c(), row.d()), row);
      }
    }
    if (seen.isEmpty() && !slice) {
      differences.cell("static", null, statics);
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
      if (seen.v() == null
          && seen.w() == null
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
    if (!differences.admissible(cell(row, "")).contains(null)) {
      differences.add(Violation.LOST_WRITE, key + " was inserted but is not returned");
    }
  }

  /** Collects differences. */
  private static final class Differences {
    private final long firstSecond;
    private final long lastSecond;
    private int count;
    private @Nullable Violation first;
    private String text = "";

    Differences(long firstSecond, long lastSecond) {
      this.firstSecond = firstSecond;
      this.lastSecond = lastSecond;
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
