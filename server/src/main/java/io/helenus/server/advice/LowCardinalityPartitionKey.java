package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;

/**
 * A partition key that takes few values: a partition for each, all rows in them, however many nodes
 * there are.
 */
final class LowCardinalityPartitionKey implements Rule {
  private static final double ROWS_A_DAY = 10 * 86_400.0;

  @Override
  public String name() {
    return "low-cardinality-partition-key";
  }

  @Override
  public void judge(Review review) {
    List<ColumnSchema> key = review.partitionKey();
    if (review.clustering().stream().noneMatch(LowCardinalityPartitionKey::isOfMany)
        || !key.stream().allMatch(Traits::isFewValued)) {
      return;
    }
    TableSchema table = review.table();
    Growth growth = new Growth(ROWS_A_DAY, RowSize.ofRow(table), RowSize.cellsOfRow(table));
    review.found(
        this,
        "The partition key of "
            + table.cqlName()
            + ", "
            + Traits.names(key)
            + ", takes few values, so that all rows are in as few partitions, which keep a few"
            + " nodes busy while the others idle. At 10 rows a second, of about "
            + growth.rowBytes()
            + " bytes, one of them passes 100 MB after "
            + Growth.duration(growth.daysToBytes())
            + ".",
        Draft.of(table).partitionedAlsoByNew("bucket", "int").toCql());
  }

  /** Whether there are many rows: those of a map, by key, are as few as what they set. */
  private static boolean isOfMany(ColumnSchema column) {
    return Traits.isTime(column) || Traits.isIdentifier(column) && !Traits.words(column).is("key");
  }
}
