package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table created by the differential tester, with the details needed to query it.
 *
 * @param name without keyspace, as written in CQL
 * @param columns key columns first, in key order
 */
record GeneratedTable(String name, List<Column> columns) {

  /** The role of a column in its table. */
  enum Role {
    PARTITION,
    CLUSTERING,
    STATIC,
    REGULAR
  }

  /** A column; {@code descending} matters for clustering columns only. */
  record Column(String name, DataType.Scalar type, Role role, boolean descending) {
    boolean isKey() {
      return role == Role.PARTITION || role == Role.CLUSTERING;
    }
  }

  List<Column> of(Role role) {
    return columns.stream().filter(each -> each.role() == role).toList();
  }

  List<Column> partition() {
    return of(Role.PARTITION);
  }

  List<Column> clustering() {
    return of(Role.CLUSTERING);
  }

  /** The columns outside the primary key. */
  List<Column> values() {
    return columns.stream().filter(each -> !each.isKey()).toList();
  }

  GeneratedTable with(Column column) {
    List<Column> more = new ArrayList<>(columns);
    more.add(column);
    return new GeneratedTable(name, more);
  }

  GeneratedTable without(String column) {
    return new GeneratedTable(
        name, columns.stream().filter(each -> !each.name().equals(column)).toList());
  }

  static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
