package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table created by the differential tester, with the details needed to query it.
 *
 * @param name without keyspace, as written in CQL
 * @param columns key columns first, in key order
 * @param indexes those that both servers have
 */
public record GeneratedTable(String name, Kind kind, List<Column> columns, List<Index> indexes) {

  /** What the table is for. */
  public enum Kind {
    /** Writes at timestamps that the tester chooses. */
    PLAIN,
    /** As PLAIN, WITH COMPACT STORAGE. */
    COMPACT,
    /** Conditional and other writes at timestamps of the server. */
    CONDITIONAL,
    /** The columns outside the primary key are counters. */
    COUNTER
  }

  /** The role of a column in its table. */
  public enum Role {
    PARTITION,
    CLUSTERING,
    STATIC,
    REGULAR
  }

  /**
   * A column.
   *
   * @param descending matters for clustering columns only
   * @param frozen matters for collections and user types only
   */
  public record Column(String name, DataType type, Role role, boolean descending, boolean frozen) {
    /** Whether its elements or fields are cells that can be written one by one. */
    boolean isMultiCell() {
      return !frozen && GeneratedTypes.mayBeMultiCell(type);
    }

    /** Its name and type, as in CREATE TABLE. */
    String definition() {
      return name + " " + GeneratedTypes.cql(type, frozen);
    }

    public Column named(String other) {
      return new Column(other, type, role, descending, frozen);
    }

    Column withType(DataType other) {
      return new Column(name, other, role, descending, frozen);
    }

    Column in(Role other, boolean inDescendingOrder) {
      return new Column(name, type, other, inDescendingOrder, frozen);
    }

    public boolean isKey() {
      return role == Role.PARTITION || role == Role.CLUSTERING;
    }
  }

  /**
   * A secondary index.
   *
   * @param name as in the schema tables
   * @param column the name of the indexed column
   * @param target {@code keys}, {@code values}, {@code entries} or {@code full}; otherwise empty
   * @param attached whether it is a storage-attached index
   */
  record Index(String name, String column, String target, boolean attached) {}

  /** A table without indexes. */
  public GeneratedTable(String name, Kind kind, List<Column> columns) {
    this(name, kind, columns, List.of());
  }

  /** Whether the tester chooses all timestamps of its cells, none of which is a counter. */
  public boolean hasChosenTimestamps() {
    return kind == Kind.PLAIN || kind == Kind.COMPACT;
  }

  /** Whether a key column has an index that is not a storage-attached one. */
  public boolean hasLegacyIndexOfKey() {
    return indexes.stream()
        .filter(each -> !each.attached())
        .anyMatch(
            each ->
                columns.stream()
                    .anyMatch(column -> column.isKey() && column.name().equals(each.column())));
  }

  public List<Column> of(Role role) {
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
    return with(more);
  }

  GeneratedTable without(String column) {
    return with(columns.stream().filter(each -> !each.name().equals(column)).toList());
  }

  GeneratedTable with(List<Column> others) {
    return new GeneratedTable(name, kind, others, indexes);
  }

  GeneratedTable with(Index index) {
    List<Index> more = new ArrayList<>(indexes);
    more.add(index);
    return new GeneratedTable(name, kind, columns, more);
  }

  GeneratedTable without(Index index) {
    return new GeneratedTable(
        name, kind, columns, indexes.stream().filter(each -> !each.equals(index)).toList());
  }

  /** The column of that name; null if there is none. */
  @Nullable Column column(String column) {
    return columns.stream().filter(each -> each.name().equals(column)).findFirst().orElse(null);
  }

  static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
