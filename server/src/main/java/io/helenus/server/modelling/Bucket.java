package io.helenus.server.modelling;

import io.helenus.server.advice.ColumnWords;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.ScalarType;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The periods by which a partition key is divided, the longest first. */
enum Bucket {
  /** A column with the year as number. */
  YEAR("int", 366),
  /** A column with the first day of the month. */
  MONTH("date", 31),
  /** A column with the first day of the week. */
  WEEK("date", 7),
  /** A column with the day. */
  DAY("date", 1),
  /** A column with the beginning of the hour. */
  HOUR("timestamp", 1 / 24.0);

  private final String type;
  private final double days;

  Bucket(String type, double days) {
    this.type = type;
    this.days = days;
  }

  /** The CQL type of the column. */
  String type() {
    return type;
  }

  /** The length of the period. */
  double days() {
    return days;
  }

  /** The name of the column. */
  String column() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A value of the column, for a statement that shows how it is used. */
  String example() {
    return switch (this) {
      case YEAR -> "2026";
      case MONTH -> "'2026-11-01'";
      case WEEK -> "'2026-11-23'";
      case DAY -> "'2026-11-28'";
      case HOUR -> "'2026-11-28 14:00Z'";
    };
  }

  /** The period that a column of a partition key stands for; null if it is none. */
  static @Nullable Bucket of(ColumnSchema column) {
    if (column.type() == ScalarType.UUID || column.type() == ScalarType.TIMEUUID) {
      return null;
    }
    ColumnWords words = ColumnWords.of(column.name());
    if (words.endsWith("of", "week")) {
      return null;
    }
    if (words.hasAny(Set.of("hour", "yyyymmddhh", "hours"))) {
      return HOUR;
    }
    if (words.hasAny(Set.of("week", "yearweek"))) {
      return WEEK;
    }
    if (words.hasAny(Set.of("month", "yyyymm", "yearmonth"))) {
      return MONTH;
    }
    if (words.hasAny(Set.of("day", "yyyymmdd", "date")) || column.type() == ScalarType.DATE) {
      return DAY;
    }
    return words.hasAny(Set.of("year", "yyyy")) ? YEAR : null;
  }

  /** The longest period that ends before a partition passes a limit; if none does, the shortest. */
  static Bucket fitting(double daysToLimit) {
    for (Bucket each : values()) {
      if (each.days <= daysToLimit) {
        return each;
      }
    }
    return HOUR;
  }
}
