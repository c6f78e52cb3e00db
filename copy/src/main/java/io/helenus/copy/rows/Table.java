package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What copying needs to know of a table. Immutable.
 *
 * @param name keyspace and table as they are written in CQL
 * @param keys the columns of the primary key as written in CQL, those of the partition key first
 * @param keyTypes their types
 * @param partitionKeys how many of them belong to the partition key
 * @param columns all other columns, the static ones first
 */
public record Table(
    String name,
    List<String> keys,
    List<DataType> keyTypes,
    int partitionKeys,
    List<Column> columns) {
  /** Copies what is needed from the driver's description. */
  public static Table of(TableMetadata metadata) {
    List<Column> statics = new ArrayList<>();
    List<Column> regulars = new ArrayList<>();
    for (ColumnMetadata column : metadata.getColumns().values()) {
      if (!metadata.getPrimaryKey().contains(column)) {
        (column.isStatic() ? statics : regulars).add(Column.of(column));
      }
    }
    statics.addAll(regulars);
    return new Table(
        metadata.getKeyspace().asCql(true) + "." + metadata.getName().asCql(true),
        metadata.getPrimaryKey().stream().map(column -> column.getName().asCql(true)).toList(),
        metadata.getPrimaryKey().stream().map(ColumnMetadata::getType).toList(),
        metadata.getPartitionKey().size(),
        List.copyOf(statics));
  }

  /** Whether its columns are counters. */
  public boolean isCounter() {
    return columns.stream().anyMatch(column -> column.form() == Column.Form.COUNTER);
  }

  /** Whether it has static columns. */
  public boolean hasStatics() {
    return !columns.isEmpty() && columns.getFirst().isStatic();
  }

  /** {@code token(a, b)} of its partition key. */
  String token() {
    return "token(" + String.join(", ", keys.subList(0, partitionKeys)) + ")";
  }

  /** {@code a = ? AND b = ?} of the partition key, or of the whole primary key. */
  String keyCondition(boolean partitionOnly) {
    return keys.subList(0, partitionOnly ? partitionKeys : keys.size()).stream()
        .map(key -> key + " = ?")
        .collect(Collectors.joining(" AND "));
  }
}
