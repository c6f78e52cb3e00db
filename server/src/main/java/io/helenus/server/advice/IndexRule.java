package io.helenus.server.advice;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;

/**
 * Recognizes indexes on the values of a column that a second table would serve better. Stateless;
 * any thread.
 */
abstract class IndexRule implements Rule {
  /** Whether an index on the values of a column is one of them. */
  abstract boolean concerns(TableSchema table, IndexSchema index, ColumnSchema column);

  /** What is wrong with it. */
  abstract String problem(TableSchema table, IndexSchema index, ColumnSchema column);

  /** The table that serves the same queries. */
  Draft instead(Review review, ColumnSchema column) {
    return SecondTable.by(review.keyspace(), review.table(), column);
  }

  @Override
  public final void judge(Review review) {
    TableSchema table = review.table();
    for (IndexSchema index : table.indexes()) {
      ColumnSchema column = table.columnOf(index);
      if (index.target() == TargetKind.SIMPLE && concerns(table, index, column)) {
        review.found(
            this,
            index.name(),
            problem(table, index, column),
            instead(review, column).toCql() + " " + SecondTable.drop(table, index));
      }
    }
  }
}
