package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import java.util.Set;

/**
 * Something large alone as partition key, a tenant or a city, with the rows of all that it contains
 * behind an identifier of what they are read by: {@code (tenant_id, user_id, message_id)} where
 * {@code ((tenant_id, user_id), message_id)} is meant.
 */
final class UnderPartitionedKey implements Rule {
  private static final double ROWS_A_DAY = 10_000;

  private static final Set<String> LARGE =
      ColumnWords.set(
          "tenant org organization organisation company region city town province district app"
              + " application realm namespace country state zip zipcode workspace");

  private static final Set<String> BUCKET = ColumnWords.set("bucket shard salt slice");

  @Override
  public String name() {
    return "under-partitioned-key";
  }

  @Override
  public void judge(Review review) {
    List<ColumnSchema> clustering = review.clustering();
    TableWords words = TableWords.of(review.table());
    if (review.isView()
        || review.table().isCompact()
        || clustering.stream().skip(1).noneMatch(each -> Traits.isMoment(each, words))) {
      return;
    }
    ColumnSchema first = clustering.getFirst();
    if (Traits.words(first).hasAny(BUCKET) && !Traits.isTime(first)) {
      if (review.partitionKey().stream().noneMatch(Traits::isBucket)) {
        speakOfBucket(review, first);
      }
    } else if (isLarge(review.partitionKey())
        && Traits.isIdentifier(first)
        && !words.isRowId(first)
        && !Traits.isMoment(first, words)) {
      speak(review, first);
    }
  }

  /** Whether one column says something large, and others at most a period. */
  private static boolean isLarge(List<ColumnSchema> key) {
    List<ColumnSchema> what = key.stream().filter(each -> !Traits.isBucket(each)).toList();
    return what.size() == 1
        && Traits.words(what.getFirst()).entity().stream().anyMatch(LARGE::contains);
  }

  private void speakOfBucket(Review review, ColumnSchema bucket) {
    TableSchema table = review.table();
    review.found(
        this,
        "In "
            + table.cqlName()
            + " "
            + bucket.name()
            + " is a clustering column: it sorts the rows of a partition and divides nothing, so"
            + " that a partition has all buckets of one "
            + Traits.names(review.partitionKey())
            + ". The columns of the partition key need parentheses of their own.",
        Draft.of(table).partitionedAlsoBy(bucket.name()).toCql());
  }

  private void speak(Review review, ColumnSchema first) {
    TableSchema table = review.table();
    Growth growth = new Growth(ROWS_A_DAY, RowSize.ofRow(table), RowSize.cellsOfRow(table));
    String large = Traits.names(review.partitionKey());
    review.found(
        this,
        "A partition of "
            + table.cqlName()
            + " has the rows of every "
            + first.name()
            + " of one "
            + large
            + ". At 10,000 rows a day, of about "
            + growth.rowBytes()
            + " bytes, it passes 100 MB after "
            + Growth.duration(growth.daysToBytes())
            + ", and all its reads and writes go to one set of replicas, although readers know the "
            + first.name()
            + ".",
        Draft.of(table).partitionedAlsoBy(first.name()).toCql());
  }
}
