package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import java.util.Set;

/** An index on a column that has another value in each row: all nodes are asked for one row. */
final class IndexOnUniqueValues extends IndexRule {
  private static final Set<String> UNIQUE =
      Set.of(
          "email",
          "mail",
          "username",
          "login",
          "handle",
          "phone",
          "mobile",
          "telephone",
          "ssn",
          "isbn",
          "imei",
          "vin",
          "iban",
          "serial",
          "token",
          "hash",
          "checksum",
          "sku",
          "barcode",
          "ean",
          "upc",
          "guid",
          "slug",
          "url",
          "uri",
          "mac");

  private static final Set<String> ID = Set.of("id", "uuid", "guid");

  /** What is between the name of what the rows are and the name of what they are found by. */
  private static final Set<String> BEFORE_OTHERS = Set.of("by", "of", "in", "for", "with", "per");

  private static final Set<String> NUMBER = Set.of("number", "no", "nr", "address", "code");
  private static final Set<String> NUMBERED =
      Set.of(
          "phone", "serial", "passport", "account", "order", "invoice", "email", "mac", "tracking");

  @Override
  public String name() {
    return "index-on-unique-values";
  }

  @Override
  boolean concerns(TableSchema table, IndexSchema index, ColumnSchema column) {
    return isUnique(table, column);
  }

  @Override
  Draft instead(Review review, ColumnSchema column) {
    return SecondTable.keyBy(review.keyspace(), review.table(), column);
  }

  /** Whether no two rows have the same value. */
  static boolean isUnique(TableSchema table, ColumnSchema column) {
    if (column.isPrimaryKey() || column.isStatic()) {
      return false;
    }
    return isOwnIdentifier(table, column)
        || isUniqueByName(Traits.words(column)) && !Changes.isWrittenOnce(table);
  }

  private static boolean isUniqueByName(ColumnWords words) {
    return words.endsWith(UNIQUE)
        || words.endsWith("user", "name")
        || words.endsWith("api", "key")
        || words.endsWith(NUMBER) && words.hasAny(NUMBERED);
  }

  /** Whether it is the id of what the rows are: order_id of orders, or of orders_by_customer. */
  private static boolean isOwnIdentifier(TableSchema table, ColumnSchema column) {
    List<String> words = Traits.words(column).words();
    if (words.size() != 2 || !ID.contains(words.getLast())) {
      return false;
    }
    List<String> named = ColumnWords.of(table.name()).words();
    int end = 0;
    while (end < named.size() && !BEFORE_OTHERS.contains(named.get(end))) {
      end++;
    }
    String one = words.getFirst();
    return end > 0 && Set.of(one, one + "s", one + "es").contains(named.get(end - 1));
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
            + ", which has another value in nearly every row. An index is kept beside the rows on"
            + " their own nodes, so that a query by it asks every range of the ring for its one"
            + " row: with 30 nodes and 3 replicas at least 10 nodes instead of one.";
    return switch (index.kind()) {
      case LEGACY ->
          text
              + " Apache Cassandra keeps a partition of a hidden table for each value, and reads a"
              + " row before each write of it.";
      case SAI -> text + " A storage-attached index is cheap to write, but asks as many nodes.";
    };
  }
}
