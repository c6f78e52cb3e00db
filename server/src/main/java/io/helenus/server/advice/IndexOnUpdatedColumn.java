package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import java.util.Locale;

/** An index on a column whose values change often: it fills with entries of former values. */
final class IndexOnUpdatedColumn extends IndexRule {
  private static final int SECONDS_A_DAY = 86_400;

  @Override
  public String name() {
    return "index-on-updated-column";
  }

  @Override
  boolean concerns(TableSchema table, IndexSchema index, ColumnSchema column) {
    return !column.isPrimaryKey() && isOftenUpdated(table, index, column);
  }

  /** A storage-attached index bears a status that changes now and then. */
  private static boolean isOftenUpdated(TableSchema table, IndexSchema index, ColumnSchema column) {
    return Changes.isTouched(column)
        || Changes.isMeasure(column) && !Changes.isWrittenOnce(table)
        || Changes.isState(table, column) && index.kind() == IndexSchema.Kind.LEGACY;
  }

  @Override
  String problem(TableSchema table, IndexSchema index, ColumnSchema column) {
    String text =
        "The index "
            + index.name()
            + " on "
            + table.cqlName()
            + " is on "
            + column.name()
            + ", whose values change often. Each change leaves the entry of the former value until"
            + " it is compacted: with 10 changes a second "
            + String.format(Locale.ROOT, "%,d", 10 * SECONDS_A_DAY)
            + " a day, whose rows are read and found not to match.";
    return switch (index.kind()) {
      case LEGACY ->
          text
              + " In Apache Cassandra each of them is a tombstone in the partition of its value,"
              + " of which a read may pass 100,000, and each write reads the row first.";
      case SAI -> text + " A storage-attached index needs no read before the write.";
    };
  }
}
