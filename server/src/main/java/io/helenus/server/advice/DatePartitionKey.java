package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import java.util.Set;

/**
 * A period of time, or a moment, and nothing else as partition key: all writes go to the present.
 */
final class DatePartitionKey implements Rule {
  private static final double ROWS_A_DAY = 100 * 86_400.0;

  /** Columns of a year or a month say less often when a row was written. */
  private static final Set<String> LONG = ColumnWords.set("year month quarter decade");

  /** Columns of things, of which a day may have several, rather than of totals. */
  private static final Set<String> THING =
      ColumnWords.set("title name description body content text message author subject");

  private static final Set<String> WRITTEN =
      ColumnWords.set("publish published post posted created creation added order upload sent");

  private static final Set<String> TOTALS =
      ColumnWords.set("daily day calendar holiday total stat statistic summary count report rate");

  @Override
  public String name() {
    return "date-partition-key";
  }

  @Override
  public void judge(Review review) {
    List<ColumnSchema> key = review.partitionKey();
    if (review.table().isCompact() || !key.stream().allMatch(DatePartitionKey::isPeriod)) {
      return;
    }
    if (review.clustering().isEmpty()) {
      judgeSingleRows(review);
      return;
    }
    boolean timed = review.clustering().stream().anyMatch(Traits::isTime);
    boolean identified = review.clustering().stream().anyMatch(Traits::isIdentifier);
    if (timed || identified && key.stream().noneMatch(each -> Traits.words(each).endsWith(LONG))) {
      speak(review);
    }
  }

  private static boolean isPeriod(ColumnSchema column) {
    return !Traits.isUnique(column.type())
        && (Traits.isDate(column) || Traits.isTime(column))
        && !Traits.isPlanned(column)
        && !Traits.isFewValued(column);
  }

  private void speak(Review review) {
    TableSchema table = review.table();
    List<ColumnSchema> key = review.partitionKey();
    double days = Traits.daysOf(key.getLast());
    String size = Growth.size(new Growth(ROWS_A_DAY, RowSize.ofRow(table), 1).bytesAfter(days));
    review.found(
        this,
        "The partition key of "
            + table.cqlName()
            + ", "
            + Traits.names(key)
            + ", says nothing but the time, so that all that is written at one moment goes to one"
            + " partition, and to one shard of its replicas, however many nodes there are. At 100"
            + " rows a second, of about "
            + RowSize.ofRow(table)
            + " bytes, a partition of "
            + Growth.duration(days)
            + " grows to "
            + size
            + ".",
        Draft.of(table).partitionedAlsoByNew("bucket", "int").toCql());
  }

  /** A time as the whole primary key: rows of the same one replace each other. */
  private void judgeSingleRows(Review review) {
    ColumnSchema last = review.partitionKey().getLast();
    TableSchema table = review.table();
    TableWords words = TableWords.of(table);
    boolean isMoment = Traits.isTime(last) && !Traits.isBucket(last);
    boolean things =
        table.regularColumns().stream().anyMatch(each -> Traits.words(each).endsWith(THING));
    boolean isDateOfThings = things && Traits.words(last).hasAny(WRITTEN) && !words.hasAny(TOTALS);
    if (review.partitionKey().size() > 1 || table.isCounter() || !isMoment && !isDateOfThings) {
      return;
    }
    Draft draft = Draft.of(table);
    if (isMoment) {
      draft.partitionedAlsoByNew("day", "date");
    }
    draft.partitionedAlsoByNew("bucket", "int");
    if (isMoment) {
      draft.toClustering(last.name());
    }
    review.found(
        this,
        "The primary key of "
            + table.cqlName()
            + " is the time "
            + last.name()
            + " alone: of two rows of the same "
            + (isMoment ? "millisecond" : last.name())
            + " the second replaces the first, and no range of time can be read, since each is a"
            + " partition somewhere else on the ring.",
        draft.clusteredAlsoByNew("id", "uuid").toCql());
  }
}
