package io.helenus.server.advice;

import io.helenus.server.schema.TableSchema;

/** A time series that expires, in files that are not divided by time. */
final class TtlWithoutTimeWindows implements Rule {
  private static final int HOUR_SECONDS = 3_600;
  private static final int DAY_SECONDS = 86_400;
  private static final int WINDOWS = 30;

  @Override
  public String name() {
    return "ttl-without-time-windows";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    int seconds = table.options().defaultTimeToLiveSeconds();
    String compaction = String.valueOf(table.options().compaction().get("class"));
    if (review.isView()
        || seconds < HOUR_SECONDS
        || review.clustering().isEmpty()
        || !Traits.isTime(review.clustering().getFirst())
        || Changes.passesStates(table)
        || compaction.endsWith("TimeWindowCompactionStrategy")
        || compaction.endsWith("UnifiedCompactionStrategy")) {
      return;
    }
    double days = (double) seconds / DAY_SECONDS;
    String strategy = compaction.substring(compaction.lastIndexOf('.') + 1);
    String cost =
        strategy.startsWith("Leveled")
            ? "Leveled compaction writes a row about ten times for each level that it passes,"
                + " only to find it expired at last."
            : "Size-tiered compaction merges four files of a size: the one that holds "
                + Growth.duration(days)
                + " of rows, all of them expired, stays until there are three more like it, which"
                + " takes another "
                + Growth.duration(3 * days)
                + ".";
    review.found(
        this,
        "The rows of "
            + table.cqlName()
            + " are written in the order of time and expire after "
            + Growth.duration(days)
            + ", but its files mix rows of all ages. "
            + cost
            + " With time windows a file whose rows have all expired is deleted without reading it"
            + " (in Apache Cassandra; Helenus keeps the option, and so far merges files size-tiered"
            + " whatever it is).",
        "ALTER TABLE "
            + table.cqlName()
            + " WITH compaction = {'class': 'TimeWindowCompactionStrategy', "
            + window(seconds)
            + "};");
  }

  /** About thirty windows at a time. */
  private static String window(int seconds) {
    int each = seconds / WINDOWS;
    String unit = "DAYS";
    int unitSeconds = DAY_SECONDS;
    if (each < HOUR_SECONDS / 2) {
      unit = "MINUTES";
      unitSeconds = 60;
    } else if (each < DAY_SECONDS) {
      unit = "HOURS";
      unitSeconds = HOUR_SECONDS;
    }
    return "'compaction_window_unit': '"
        + unit
        + "', 'compaction_window_size': "
        + Math.max(1, Math.round((double) each / unitSeconds));
  }
}
