package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The identifier of a row, or its moment, in the partition key beside what the rows are read by:
 * {@code ((user_id, message_id))} where {@code (user_id, message_id)} is meant.
 */
final class OverPartitionedKey implements Rule {
  /** By what nothing is listed: all that belongs to it is looked up one by one. */
  private static final Set<String> TENANT =
      ColumnWords.set(
          "tenant org organization organisation realm namespace keyspace app application project"
              + " workspace site shard type");

  @Override
  public String name() {
    return "over-partitioned-key";
  }

  @Override
  public void judge(Review review) {
    List<ColumnSchema> key = review.partitionKey();
    TableWords words = TableWords.of(review.table());
    if (review.isView() || review.table().isCompact() || key.size() < 2) {
      return;
    }
    ColumnSchema last = key.getLast();
    List<ColumnSchema> before = key.subList(0, key.size() - 1);
    if (before.stream().anyMatch(words::isRowId)
        || before.stream().noneMatch(OverPartitionedKey::isEntity)
        || Traits.isBucket(last)) {
      return;
    }
    boolean moment =
        Traits.isNamedTime(last)
            && !Traits.isUnique(last.type())
            && !Traits.isPlanned(last)
            && review.clustering().stream().allMatch(each -> Traits.isUnique(each.type()))
            && review.clustering().size() <= 1;
    boolean onlyTimesFollow = review.clustering().stream().allMatch(Traits::isTime);
    if (moment || onlyTimesFollow && isListed(before, last, words)) {
      speak(review, before, last);
    }
  }

  /** Whether it stands for something that rows belong to. */
  private static boolean isEntity(ColumnSchema column) {
    return !Traits.isBucket(column)
        && !Traits.isTime(column)
        && column.type() != ScalarType.BOOLEAN;
  }

  private static boolean isListed(List<ColumnSchema> before, ColumnSchema last, TableWords words) {
    if (!words.isRowId(last)) {
      return false;
    }
    boolean says = before.stream().anyMatch(words::isReadBy);
    boolean tenants =
        before.stream()
            .allMatch(each -> Traits.words(each).entity().stream().anyMatch(TENANT::contains));
    return says || Traits.isUnique(last.type()) && !tenants && before.size() == 1;
  }

  private void speak(Review review, List<ColumnSchema> before, ColumnSchema last) {
    TableSchema table = review.table();
    List<String> clustering = new ArrayList<>();
    clustering.add(last.name());
    review.clustering().forEach(each -> clustering.add(each.name()));
    review.found(
        this,
        "The partition key of "
            + table.cqlName()
            + " has "
            + last.name()
            + ", so that every row is a partition of its own: the rows of one "
            + Traits.names(before)
            + " cannot be read without knowing each "
            + last.name()
            + ", and a list of 100 rows asks 100 partitions on all nodes instead of one.",
        Draft.of(table)
            .partitionedBy(before.stream().map(ColumnSchema::name).toList())
            .clusteredBy(clustering)
            .toCql());
  }
}
