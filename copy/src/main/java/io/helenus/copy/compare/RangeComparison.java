package io.helenus.copy.compare;

import com.datastax.oss.driver.api.core.type.DataTypes;
import io.helenus.copy.rows.Column;
import io.helenus.copy.rows.RowData;
import io.helenus.copy.rows.Table;
import io.helenus.copy.rows.TableReader;
import io.helenus.copy.rows.TokenRange;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares a range of both sides. Both return partitions in the order of the ring and rows in that
 * of the table, so the two streams are walked together. A row that seems to differ is read again by
 * its key from both sides: it may have been written, or have expired, between the two reads. Used
 * by one thread.
 */
public final class RangeComparison {
  /** TTLs run down between two reads. */
  private static final int TTL_SECONDS = 60;

  private final Table table;
  private final TokenRange.Ring ring;
  private final TableReader source;
  private final TableReader target;
  private final Differences differences;
  private final LongConsumer counted;
  private int range;
  private int found;
  private boolean equal;

  /**
   * Creates a comparison.
   *
   * @param counted receives the number of rows that have been compared since the last time
   */
  public RangeComparison(
      Table table,
      TokenRange.Ring ring,
      TableReader source,
      TableReader target,
      Differences differences,
      LongConsumer counted) {
    this.table = table;
    this.ring = ring;
    this.source = source;
    this.target = target;
    this.differences = differences;
    this.counted = counted;
  }

  /** Compares a range; returns the number of rows of the source. */
  public long compare(TokenRange part) {
    range = part.index();
    long rows = 0;
    TableReader.Rows here = source.scan(part);
    TableReader.Rows there = target.scan(part);
    RowData a = here.next();
    RowData b = there.next();
    RowData previous = null;
    while ((a != null || b != null) && !differences.isFull()) {
      int order = order(a, b);
      if (order == 0 && a != null && b != null) {
        boolean statics = !a.isSamePartition(previous, table);
        if (difference(a, b, statics) != null) {
          checkAgain(a, statics);
        }
        previous = a;
      } else {
        RowData only = order < 0 ? a : b;
        if (only != null) {
          checkAgain(only, false);
        }
      }
      if (order <= 0) {
        rows++;
        counted.accept(1);
        a = here.next();
      }
      if (order >= 0) {
        b = there.next();
      }
    }
    equal = a == null && b == null && found == 0;
    return rows;
  }

  /** Whether the range has been compared to its end and no row differs. */
  public boolean isEqual() {
    return equal;
  }

  /** Which of two rows comes first. */
  private int order(@Nullable RowData a, @Nullable RowData b) {
    if (a == null || b == null) {
      return a == null ? 1 : -1;
    }
    if (a.isSameRow(b)) {
      return 0;
    }
    if (!a.isSamePartition(b, table)) {
      return a.compareTo(b, ring, table) < 0 ? -1 : 1;
    }
    // Within a partition only the servers know the order: what one side does not have comes first.
    return target.find(a) == null ? -1 : 1;
  }

  private void checkAgain(RowData key, boolean statics) {
    RowData a = source.find(key);
    RowData b = target.find(key);
    String difference;
    if (a == null || b == null) {
      difference = a == null ? "only in the target" : "only in the source";
      if (a == null && b == null) {
        return;
      }
    } else {
      difference = difference(a, b, statics);
    }
    if (difference != null) {
      differences.add(
          range, found++, table.name() + " " + RowText.key(table, key) + ": " + difference);
    }
  }

  /** What differs, or null. */
  private @Nullable String difference(RowData a, RowData b, boolean statics) {
    StringJoiner text = new StringJoiner("; ").setEmptyValue("");
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      if (column.isStatic() && !statics) {
        continue;
      }
      if (!Objects.equals(a.values()[i], b.values()[i])) {
        text.add(
            column.name()
                + " is "
                + RowText.value(column.type(), a.values()[i])
                + " in the source, "
                + RowText.value(column.type(), b.values()[i])
                + " in the target");
      } else if (source.tellsWriteTime(i) && target.tellsWriteTime(i)) {
        compareTimes(column, i, a, b, text);
      }
    }
    return text.length() == 0 ? null : text.toString();
  }

  private static void compareTimes(Column column, int i, RowData a, RowData b, StringJoiner text) {
    boolean isList = column.form().hasElements();
    if (!Objects.equals(a.writeTimes()[i], b.writeTimes()[i])) {
      var type = isList ? DataTypes.listOf(DataTypes.BIGINT) : DataTypes.BIGINT;
      text.add(
          "writetime("
              + column.name()
              + ") is "
              + RowText.value(type, a.writeTimes()[i])
              + " in the source, "
              + RowText.value(type, b.writeTimes()[i])
              + " in the target");
    } else if (!RowData.isSameTtl(a.ttls()[i], b.ttls()[i], isList, TTL_SECONDS)) {
      var type = isList ? DataTypes.listOf(DataTypes.INT) : DataTypes.INT;
      text.add(
          "ttl("
              + column.name()
              + ") is "
              + RowText.value(type, a.ttls()[i])
              + " in the source, "
              + RowText.value(type, b.ttls()[i])
              + " in the target");
    }
  }
}
