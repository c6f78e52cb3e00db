package io.helenus.server.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of one partition of a table. Columns: partition key p, clustering c and d, static s
 * and sm, regular v, w and m; sm and m are maps of numbers, or sets, whose elements count as their
 * own values; all others are numbers. An element of a map is named as in CQL, {@code m[1]}.
 * Timestamps in microseconds, {@code seconds} is the client's clock at the time of sending.
 */
public sealed interface Change {
  int p();

  long timestamp();

  long seconds();

  /** The name of an element of a map. */
  static String element(String column, int key) {
    return column + "[" + key + "]";
  }

  /**
   * Cells of one row ({@code insert}: and its liveness), by the name of the column or element; null
   * values delete.
   */
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

  /** Static cells, by the name of the column or element; null values delete. */
  record Static(int p, Map<String, @Nullable Integer> values, long timestamp, int ttl, long seconds)
      implements Change {}

  /** Deletes all elements of map m of a row. */
  record DeleteMap(int p, int c, int d, long timestamp, long seconds) implements Change {}

  /** Deletes all elements of the static map sm. */
  record DeleteStaticMap(int p, long timestamp, long seconds) implements Change {}

  /** Deletes a partition. */
  record DeletePartition(int p, long timestamp, long seconds) implements Change {}

  /** Deletes a row. */
  record DeleteRow(int p, int c, int d, long timestamp, long seconds) implements Change {}

  /** Deletes the rows of a range of c. */
  record DeleteRange(
      int p,
      int lowC,
      boolean lowInclusive,
      int highC,
      boolean highInclusive,
      long timestamp,
      long seconds)
      implements Change {
    boolean covers(int c) {
      return (lowInclusive ? c >= lowC : c > lowC) && (highInclusive ? c <= highC : c < highC);
    }
  }

  /** Whether this deletes the row (c, d) as a whole. */
  default boolean deletes(int c, int d) {
    return switch (this) {
      case DeletePartition all -> true;
      case DeleteRow row -> row.c() == c && row.d() == d;
      case DeleteRange range -> range.covers(c);
      case Cells cells -> false;
      case Static only -> false;
      case DeleteMap map -> false;
      case DeleteStaticMap map -> false;
    };
  }
}
