package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.List;
import java.util.Set;

/**
 * What the name and the type of a column say about its values. Each answer is a guess that leans to
 * "no". Stateless; any thread.
 */
public final class Traits {
  private static final Set<String> FEW =
      Set.of(
          "status",
          "state",
          "country",
          "gender",
          "sex",
          "active",
          "enabled",
          "disabled",
          "deleted",
          "weekday",
          "dow",
          "tier",
          "priority",
          "severity",
          "flag",
          "kind",
          "continent",
          "stage",
          "phase",
          "environment",
          "env");

  /**
   * Words of few values unless what they say is qualified: {@code type}, but not {@code type_id}.
   */
  private static final Set<String> FEW_ALONE =
      Set.of(
          "type",
          "level",
          "role",
          "region",
          "language",
          "lang",
          "locale",
          "class",
          "grade",
          "rating",
          "color",
          "colour");

  private static final Set<String> TIME =
      Set.of(
          "time",
          "timestamp",
          "ts",
          "at",
          "date",
          "datetime",
          "when",
          "created",
          "updated",
          "modified",
          "occurred",
          "recorded",
          "instant",
          "epoch");

  private static final Set<String> BUCKET =
      Set.of(
          "bucket",
          "day",
          "week",
          "month",
          "year",
          "hour",
          "minute",
          "quarter",
          "decade",
          "yyyymm",
          "yyyymmdd",
          "yearmonth",
          "shard",
          "slice",
          "window",
          "period",
          "partition",
          "block",
          "chunk",
          "slot",
          "date",
          "sharding",
          "salt");

  private static final Set<String> IDENTIFIER =
      Set.of(
          "id",
          "uuid",
          "guid",
          "key",
          "email",
          "username",
          "login",
          "isbn",
          "imei",
          "mac",
          "serial",
          "token",
          "hash",
          "url",
          "uri",
          "address",
          "phone",
          "sku",
          "ssn",
          "vin");

  private Traits() {}

  /** The words of its name. */
  static ColumnWords words(ColumnSchema column) {
    return ColumnWords.of(column.name());
  }

  /** Whether it takes a handful of values, or a few hundred, however many rows there are. */
  public static boolean isFewValued(ColumnSchema column) {
    CqlType type = column.type();
    if (type == ScalarType.BOOLEAN) {
      return true;
    }
    if (isUnique(type) || isTime(column)) {
      return false;
    }
    ColumnWords words = words(column);
    return words.endsWith(FEW)
        || words.endsWith("country", "code")
        || words.endsWith("day", "of", "week")
        || words.endsWith(FEW_ALONE);
  }

  /** Whether its values are moments, with a precision that lets each row have its own. */
  public static boolean isTime(ColumnSchema column) {
    CqlType type = column.type();
    if (type == ScalarType.TIMESTAMP || type == ScalarType.TIMEUUID) {
      return true;
    }
    return (type == ScalarType.BIGINT || type == ScalarType.VARINT) && words(column).endsWith(TIME);
  }

  /** Whether its values are days, or names of days or other periods. */
  static boolean isDate(ColumnSchema column) {
    return column.type() == ScalarType.DATE
        || !isUnique(column.type())
            && !isTime(column)
            && !words(column).endsWith("day", "of", "week")
            && words(column)
                .endsWith(
                    Set.of("date", "day", "month", "year", "week", "hour", "yyyymmdd", "yyyymm"));
  }

  /** Whether it divides what would be one partition: a period of time, or a number of a bucket. */
  static boolean isBucket(ColumnSchema column) {
    return isDate(column) || words(column).hasAny(BUCKET);
  }

  /** Whether it identifies something of which there are many. */
  static boolean isIdentifier(ColumnSchema column) {
    ColumnWords words = words(column);
    return isUnique(column.type())
        || words.endsWith(IDENTIFIER)
        || !words.words().isEmpty() && ColumnWords.isGluedId(words.words().getLast());
  }

  /** Whether two rows will hardly have the same value by accident. */
  public static boolean isUnique(CqlType type) {
    return type == ScalarType.UUID || type == ScalarType.TIMEUUID;
  }

  /** What a column is called when it says when something will be, or was to be. */
  private static final Set<String> PLANNED =
      ColumnWords.set(
          "start end departure arrival scheduled schedule due expiry expires expiration expire"
              + " begin from until valid effective appointment slot booking checkin checkout birth"
              + " birthday birthdate dob release delivery planned deadline trigger reservation");

  /** What a column is called whose moments are beginnings of periods. */
  private static final Set<String> PERIOD =
      ColumnWords.set("bucket minute hour day week month year period window interval");

  /**
   * Whether it is the moment at which the row was written, or what it says happened: a time, or the
   * row's own identifier that is one.
   */
  static boolean isMoment(ColumnSchema column, TableWords table) {
    ColumnWords words = words(column);
    if (!isTime(column) || words.hasAny(PERIOD)) {
      return false;
    }
    return !isUnique(column.type())
        || words.hasAny(TIME)
        || table.isRowId(column)
        || words.entity().isEmpty();
  }

  /** Whether it says when something will be: a birthday, a departure, the end of a contract. */
  static boolean isPlanned(ColumnSchema column) {
    return words(column).hasAny(PLANNED);
  }

  /** The days of the period that a date or a bucket of time stands for, as far as its name says. */
  static double daysOf(ColumnSchema column) {
    List<String> words = words(column).words();
    return switch (words.isEmpty() ? "" : words.getLast()) {
      case "minute" -> 1.0 / (24 * 60);
      case "hour" -> 1.0 / 24;
      case "week" -> 7;
      case "month", "yyyymm", "yearmonth" -> 30.4;
      case "quarter" -> 91;
      case "year" -> 365;
      default -> 1;
    };
  }

  /** The names of columns, with "and" between them. */
  static String names(List<ColumnSchema> columns) {
    return String.join(" and ", columns.stream().map(ColumnSchema::name).toList());
  }

  /** Whether its values are whole numbers of which there may be many. */
  static boolean isNumber(ColumnSchema column) {
    return column.type() == ScalarType.INT || column.type() == ScalarType.BIGINT;
  }

  private static final Set<String> PERSON =
      ColumnWords.set(
          "user userid username member customer player person patient employee account email author"
              + " owner login profile");

  /** Whether it says who: the rows of one are what one person does. */
  static boolean isPerson(ColumnSchema column) {
    return words(column).entity().stream().anyMatch(PERSON::contains);
  }

  /** Whether its values are moments, and its name says so. */
  static boolean isNamedTime(ColumnSchema column) {
    return isTime(column) && words(column).hasAny(TIME);
  }
}
