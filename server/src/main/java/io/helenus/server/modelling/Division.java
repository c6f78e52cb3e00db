package io.helenus.server.modelling;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.advice.Draft;
import io.helenus.server.advice.Traits;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns that keep the partitions of a table below the limits: a period, where rows have a
 * time, and a number, where that is not enough. Immutable once it is made.
 */
final class Division {
  private static final String NUMBER = "bucket";
  private static final int NUMBERS = 16;

  private final List<Column> columns = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * A column.
   *
   * @param example a value, as in CQL
   */
  private record Column(String name, String type, String example, StatedBucket effect) {}

  private Division() {}

  /** Leaves a table as it is. */
  static Division none() {
    return new Division();
  }

  /** Divides a table whose partitions grow too large. */
  static Division of(TableSchema table, PartitionSize size) {
    Division division = new Division();
    double days = size.grownDays();
    double limit = size.growth().daysToLimit();
    if (isTimed(table)) {
      Bucket period = Bucket.fitting(limit);
      division.addPeriod(table, period);
      days = Math.min(days, period.days());
    }
    if (days > limit) {
      division.addNumber(table, (int) Math.ceil(days / limit));
    }
    return division;
  }

  /** Divides a table whose partition key takes few values. */
  static Division ofFewValues(TableSchema table) {
    Division division = new Division();
    division.addNumber(table, NUMBERS);
    return division;
  }

  private static boolean isTimed(TableSchema table) {
    return table.clusteringColumns().stream().anyMatch(Traits::isTime);
  }

  private void addPeriod(TableSchema table, Bucket period) {
    String name = free(table, period.column());
    columns.add(
        new Column(
            name, period.type(), period.example(), new StatedBucket(name, 1, period.days())));
    notes.add(
        CqlNames.quoted(name)
            + " is the "
            + period.column()
            + " of a row; a query names it, and one over a longer time asks each "
            + period.column()
            + " in turn");
  }

  private void addNumber(TableSchema table, int values) {
    String name = free(table, NUMBER);
    columns.add(
        new Column(name, "int", "0", new StatedBucket(name, values, Double.POSITIVE_INFINITY)));
    notes.add(
        CqlNames.quoted(name)
            + " is a number from 0 to "
            + (values - 1)
            + ", such as the hash of "
            + lastOfKey(table)
            + " modulo "
            + values
            + "; a query that does not know it asks all of them side by side");
  }

  private static String lastOfKey(TableSchema table) {
    List<ColumnSchema> key = table.clusteringColumns();
    return key.isEmpty() ? "the key" : CqlNames.quoted(key.getLast().name());
  }

  private static String free(TableSchema table, String name) {
    return table.column(name) == null ? name : "by_" + name;
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** How the columns are used, a sentence without its full stop for each. */
  List<String> notes() {
    return notes;
  }

  /** Adds the columns to a table. */
  void applyTo(Draft draft) {
    for (Column each : columns) {
      draft.with(each.name(), each.type()).partitionedAlsoBy(each.name());
    }
  }

  /** What is then known of its rows. */
  Stated applyTo(Stated stated) {
    Stated more = stated;
    for (Column each : columns) {
      more = more.and(each.effect());
    }
    return more;
  }

  /** Adds the columns to a query. */
  String applyTo(String query, boolean markers) {
    String text = query;
    for (Column each : columns) {
      text =
          QueryText.and(
              text, CqlNames.quoted(each.name()) + " = " + (markers ? "?" : each.example()));
    }
    return text;
  }
}
