package io.helenus.server.modelling;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the comments before the definition of a table state about its rows. Immutable.
 *
 * @param rates how many rows it receives
 * @param buckets how columns divide them
 */
record Stated(List<Rate> rates, List<StatedBucket> buckets) {
  /** Nothing. */
  static final Stated NOTHING = new Stated(List.of(), List.of());

  /** Copies the lists. */
  Stated {
    rates = List.copyOf(rates);
    buckets = List.copyOf(buckets);
  }

  /** The same with another bucket. */
  Stated and(StatedBucket bucket) {
    List<StatedBucket> more = new ArrayList<>(buckets);
    more.add(bucket);
    return new Stated(rates, more);
  }

  /** What is stated about a column; null if nothing is. */
  @Nullable StatedBucket bucket(String column) {
    for (StatedBucket each : buckets) {
      if (each.column().equals(column)) {
        return each;
      }
    }
    return null;
  }

  /** The columns that are named. */
  List<String> columns() {
    List<String> columns = new ArrayList<>();
    rates.forEach(each -> columns.addAll(each.per()));
    buckets.forEach(each -> columns.add(each.column()));
    return columns;
  }
}
