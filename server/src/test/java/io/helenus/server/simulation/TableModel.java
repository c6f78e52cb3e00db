package io.helenus.server.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a table must hold, worked out from the list of all changes by the rules of timestamps,
 * deletions and expiry, the slow and obvious way. Columns: partition key p, clustering c and d,
 * static s, regular v and w; all of them numbers, a missing one is null.
 */
final class TableModel {
  static final String STATIC = "s";
  static final List<String> REGULAR = List.of("v", "w");

  /** Which rows of a partition a deletion covers: clustering values from (c, d) pairs. */
  record Range(int lowC, boolean lowInclusive, int highC, boolean highInclusive) {
    boolean covers(int c) {
      return (lowInclusive ? c >= lowC : c > lowC) && (highInclusive ? c <= highC : c < highC);
    }
  }

  /** One change of one partition. */
  sealed interface Change {
    int p();

    long timestamp();

    /** Cells of one row ({@code insert}: and its liveness); null values delete. */
    record Cells(
        int p,
        int c,
        int d,
        boolean insert,
        Map<String, @Nullable Integer> values,
        long timestamp,
        int ttl,
        long seconds)
        implements Change {}

    /** The static cell alone. */
    record Static(int p, @Nullable Integer value, long timestamp, int ttl, long seconds)
        implements Change {}

    record DeletePartition(int p, long timestamp) implements Change {}

    record DeleteRow(int p, int c, int d, long timestamp) implements Change {}

    record DeleteRange(int p, Range range, long timestamp) implements Change {}

    /** A column is dropped: its cells up to the timestamp are gone. */
    record DropColumn(String column, long timestamp) implements Change {
      @Override
      public int p() {
        return -1;
      }
    }
  }

  /** A row as a client sees it. */
  record Row(
      int p,
      @Nullable Integer c,
      @Nullable Integer d,
      @Nullable Integer s,
      @Nullable Integer v,
      @Nullable Integer w) {}

  private final List<Change> changes;

  TableModel() {
    this(new ArrayList<>());
  }

  private TableModel(List<Change> changes) {
    this.changes = changes;
  }

  TableModel copy() {
    return new TableModel(new ArrayList<>(changes));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableModel that && changes.equals(that.changes);
  }

  @Override
  public int hashCode() {
    return changes.hashCode();
  }

  /** Without rows; a column that was dropped stays dropped up to its timestamp. */
  TableModel truncated() {
    TableModel empty = new TableModel();
    for (Change change : changes) {
      if (change instanceof Change.DropColumn) {
        empty.add(change);
      }
    }
    return empty;
  }

  void add(Change change) {
    changes.add(change);
  }

  /**
   * All rows, by partition key, then c ascending, d descending; a partition of a static value only
   * has one row.
   */
  List<Row> rows(long nowSeconds) {
    TreeMap<Integer, TreeSet<Long>> keys = new TreeMap<>();
    for (Change change : changes) {
      if (change instanceof Change.Cells cells) {
        keys.computeIfAbsent(cells.p(), p -> new TreeSet<>())
            .add(((long) cells.c() << 32) - cells.d());
      } else if (change instanceof Change.Static only) {
        keys.computeIfAbsent(only.p(), p -> new TreeSet<>());
      }
    }
    List<Row> rows = new ArrayList<>();
    keys.forEach((p, clusterings) -> addPartition(rows, p, clusterings, nowSeconds));
    return rows;
  }

  private void addPartition(List<Row> rows, int p, TreeSet<Long> clusterings, long nowSeconds) {
    Integer s = staticValue(p, nowSeconds);
    int before = rows.size();
    for (long key : clusterings) {
      int c = (int) ((key + 0x4000_0000L) >> 32);
      int d = (int) (((long) c << 32) - key);
      long deleted = deletedAt(p, c, d);
      Integer v = value(p, c, d, "v", deleted, nowSeconds);
      Integer w = value(p, c, d, "w", deleted, nowSeconds);
      if (v != null || w != null || isLive(p, c, d, deleted, nowSeconds)) {
        rows.add(new Row(p, c, d, s, v, w));
      }
    }
    if (rows.size() == before && s != null) {
      rows.add(new Row(p, null, null, s, null, null));
    }
  }

  private long deletedAt(int p, int c, int d) {
    long deleted = Long.MIN_VALUE;
    for (Change change : changes) {
      if (change.p() != p) {
        continue;
      }
      boolean covers =
          switch (change) {
            case Change.DeletePartition all -> true;
            case Change.DeleteRow row -> row.c() == c && row.d() == d;
            case Change.DeleteRange range -> range.range().covers(c);
            case Change.Cells cells -> false;
            case Change.Static only -> false;
            case Change.DropColumn drop -> false;
          };
      if (covers) {
        deleted = Math.max(deleted, change.timestamp());
      }
    }
    return deleted;
  }

  private long droppedAt(String column) {
    long dropped = Long.MIN_VALUE;
    for (Change change : changes) {
      if (change instanceof Change.DropColumn drop && drop.column().equals(column)) {
        dropped = Math.max(dropped, drop.timestamp());
      }
    }
    return dropped;
  }

  /** One write of a cell or liveness; {@code value} null is a deletion. */
  private record Written(long timestamp, int ttl, long expiry, @Nullable Integer value) {
    /**
     * Whether this one wins: newest, then deletion, then expiring, then the later expiry, then the
     * larger value.
     */
    boolean beats(@Nullable Written other) {
      if (other == null) {
        return true;
      }
      if (timestamp != other.timestamp) {
        return timestamp > other.timestamp;
      }
      if ((value == null) != (other.value == null)) {
        return value == null;
      }
      if ((ttl > 0) != (other.ttl > 0)) {
        return ttl > 0;
      }
      if (ttl > 0 && expiry != other.expiry) {
        return expiry > other.expiry;
      }
      if (ttl != other.ttl) {
        return ttl < other.ttl;
      }
      return value != null
          && other.value != null
          && Integer.compareUnsigned(value, other.value) > 0;
    }

    boolean isLive(long nowSeconds) {
      return value != null && (ttl == 0 || nowSeconds < expiry);
    }
  }

  private @Nullable Integer value(
      int p, int c, int d, String column, long deleted, long nowSeconds) {
    Written winner = null;
    for (Change change : changes) {
      if (change instanceof Change.Cells cells
          && cells.p() == p
          && cells.c() == c
          && cells.d() == d
          && cells.values().containsKey(column)) {
        Written written =
            new Written(
                cells.timestamp(),
                cells.ttl(),
                cells.seconds() + cells.ttl(),
                cells.values().get(column));
        winner = written.beats(winner) ? written : winner;
      }
    }
    return visible(winner, Math.max(deleted, droppedAt(column)), nowSeconds);
  }

  private @Nullable Integer staticValue(int p, long nowSeconds) {
    Written winner = null;
    long deleted = Long.MIN_VALUE;
    for (Change change : changes) {
      if (change instanceof Change.DeletePartition all && all.p() == p) {
        deleted = Math.max(deleted, all.timestamp());
      }
      if (change instanceof Change.Static only && only.p() == p) {
        Written written =
            new Written(only.timestamp(), only.ttl(), only.seconds() + only.ttl(), only.value());
        winner = written.beats(winner) ? written : winner;
      }
    }
    return visible(winner, deleted, nowSeconds);
  }

  private boolean isLive(int p, int c, int d, long deleted, long nowSeconds) {
    Written winner = null;
    for (Change change : changes) {
      if (change instanceof Change.Cells cells
          && cells.insert()
          && cells.p() == p
          && cells.c() == c
          && cells.d() == d) {
        Written written =
            new Written(cells.timestamp(), cells.ttl(), cells.seconds() + cells.ttl(), 1);
        winner = written.beats(winner) ? written : winner;
      }
    }
    return visible(winner, deleted, nowSeconds) != null;
  }

  private static @Nullable Integer visible(
      @Nullable Written winner, long deleted, long nowSeconds) {
    return winner != null && winner.timestamp() > deleted && winner.isLive(nowSeconds)
        ? winner.value()
        : null;
  }
}
