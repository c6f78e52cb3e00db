package io.helenus.server.advice;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.ScalarType;
import java.util.Set;

/**
 * An index or a view where a table that the client writes as well serves better: an index by which
 * the rows of one owner are read, and a view whose rows move with each change of a column.
 */
final class ViewOrIndexInsteadOfTable implements Rule {
  private static final Set<String> ID = Set.of("id", "uuid", "guid");

  /** Who or what has several rows, if it is named and not identified. */
  private static final Set<String> OWNERS =
      Set.of(
          "owner",
          "author",
          "publisher",
          "customer",
          "user",
          "seller",
          "buyer",
          "supplier",
          "vendor",
          "company",
          "employer",
          "manager",
          "creator",
          "sender",
          "recipient",
          "receiver",
          "assignee",
          "artist",
          "director",
          "team",
          "account",
          "tenant",
          "organization",
          "project",
          "album",
          "playlist");

  @Override
  public String name() {
    return "view-or-index-instead-of-table";
  }

  @Override
  public void judge(Review review) {
    ViewSchema view = review.table().view();
    if (view != null) {
      judge(review, view);
      return;
    }
    TableSchema table = review.table();
    for (IndexSchema index : table.indexes()) {
      ColumnSchema column = table.columnOf(index);
      boolean combined = index.kind() == IndexSchema.Kind.SAI && table.indexes().size() > 1;
      if (index.target() == TargetKind.SIMPLE && isOwner(table, column) && !combined) {
        review.found(
            this,
            index.name(),
            problem(table, index, column),
            SecondTable.by(review.keyspace(), table, column).toCql()
                + " "
                + SecondTable.drop(table, index));
      }
    }
  }

  /** Whether it names something else to which several rows belong. */
  private static boolean isOwner(TableSchema table, ColumnSchema column) {
    ColumnWords words = Traits.words(column);
    boolean identifies =
        words.endsWith(ID) && words.words().size() > 1
            || column.type() == ScalarType.UUID
            || words.endsWith(OWNERS);
    boolean divides = column.isPrimaryKey() && Traits.isBucket(column) && !Traits.isDate(column);
    return (identifies || divides)
        && !column.isStatic()
        && !IndexOnUniqueValues.isUnique(table, column);
  }

  private static String problem(TableSchema table, IndexSchema index, ColumnSchema column) {
    String text =
        "The index "
            + index.name()
            + " on "
            + table.cqlName()
            + " finds the rows of one "
            + column.name()
            + ", which are few, but asks every range of the ring for them: with 30 nodes and 3"
            + " replicas at least 10 nodes, and then one partition for each row. A second table"
            + " with "
            + column.name()
            + " as partition key answers from one node with one sequential read; write both in one"
            + " batch.";
    return index.kind() == IndexSchema.Kind.LEGACY
        ? text
        : text + " That the index is storage-attached makes writes cheaper, not such a query.";
  }

  private void judge(Review review, ViewSchema view) {
    TableSchema base = review.keyspace().table(view.baseTable());
    Integer id = view.keyColumn();
    if (base == null || id == null) {
      return;
    }
    ColumnSchema column = base.column(id);
    boolean measures = Changes.isMeasure(column) && !Changes.isWrittenOnce(base);
    if (!Changes.isTouched(column) && !Changes.isState(base, column) && !measures) {
      return;
    }
    TableSchema table = review.table();
    review.found(
        this,
        column.name(),
        "The view "
            + table.cqlName()
            + " has "
            + column.name()
            + " of "
            + base.cqlName()
            + " in its key, which changes often: each change reads the row, deletes it from the"
            + " view and writes it there anew, on other nodes and through a batch log. With 10"
            + " changes a second the view gets 864,000 tombstones a day. A second table that the"
            + " client writes in the same batch needs no read before the write, and can be divided"
            + " by day or by bucket so that what has moved on is left behind.",
        "DROP MATERIALIZED VIEW "
            + table.cqlName()
            + "; "
            + SecondTable.by(review.keyspace(), base, column).named(table.name()).toCql());
  }
}
