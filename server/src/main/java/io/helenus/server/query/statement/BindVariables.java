package io.helenus.server.query.statement;

import io.helenus.cql.ast.BindMarker;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types, names and targets of a statement's markers, collected during planning. One per
 * statement.
 */
public final class BindVariables {
  private static final int[] NONE = {};

  private final ResultColumns.@Nullable Column[] columns;
  private final @Nullable ColumnSchema[] targets;

  /** An unused marker, such as the first of two TIMESTAMPs in one USING clause. */
  private static final ResultColumns.Column UNUSED =
      new ResultColumns.Column("", "", "", ScalarType.BLOB);

  BindVariables(List<BindMarker> markers) {
    this.columns = new ResultColumns.Column[markers.size()];
    this.targets = new ColumnSchema[markers.size()];
  }

  /** Records the receiver of a marker's value. */
  public void add(BindMarker marker, Receiver receiver) {
    String name = marker.name() == null ? receiver.name() : marker.name();
    columns[marker.index()] =
        new ResultColumns.Column(receiver.keyspace(), receiver.table(), name, receiver.type());
    targets[marker.index()] = receiver.column();
  }

  /** The markers as PREPARE returns them. */
  public ResultColumns columns() {
    List<ResultColumns.Column> known = new ArrayList<>(columns.length);
    for (ResultColumns.Column column : columns) {
      known.add(column == null ? UNUSED : column);
    }
    return new ResultColumns(known);
  }

  /** The names by which values can be bound; null for an unused marker. */
  public @Nullable String[] names() {
    @Nullable String[] names = new String[columns.length];
    for (int i = 0; i < names.length; i++) {
      ResultColumns.Column column = columns[i];
      names[i] = column == null ? null : column.name();
    }
    return names;
  }

  /** For each partition key column, the last marker bound to it; empty unless all have a marker. */
  public int[] partitionKeyIndexes(TableSchema table) {
    int[] indexes = new int[table.partitionKey().size()];
    Arrays.fill(indexes, -1);
    for (int i = 0; i < targets.length; i++) {
      ColumnSchema target = targets[i];
      if (target != null && target.kind() == ColumnKind.PARTITION_KEY) {
        indexes[target.position()] = i;
      }
    }
    for (int index : indexes) {
      if (index < 0) {
        return NONE;
      }
    }
    return indexes;
  }
}
