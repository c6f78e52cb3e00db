package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;

/** An index on a column of few values: a query with it returns a large part of the table. */
final class IndexOnFewValues extends IndexRule {
  @Override
  public String name() {
    return "index-on-few-values";
  }

  @Override
  boolean concerns(TableSchema table, IndexSchema index, ColumnSchema column) {
    boolean combined = index.kind() == IndexSchema.Kind.SAI && table.indexes().size() > 1;
    return Traits.isFewValued(column) && !combined;
  }

  @Override
  String problem(TableSchema table, IndexSchema index, ColumnSchema column) {
    int values = column.type() == ScalarType.BOOLEAN ? 2 : 5;
    String text =
        "The index "
            + index.name()
            + " on "
            + table.cqlName()
            + " is on "
            + column.name()
            + ", which takes few values: of 10 million rows with "
            + values
            + " values a query by one finds "
            + 10 / values
            + " million and reads each of them from its own partition, on every node.";
    return switch (index.kind()) {
      case LEGACY ->
          text
              + " Apache Cassandra keeps a legacy index on it as one partition for each value on"
              + " each node, which grows with the table.";
      case SAI ->
          text
              + " A storage-attached index is small even so, and of use beside another one in the"
              + " same query; alone it is not.";
    };
  }
}
