package io.helenus.storage.engine;

import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.row.RowFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SSTables whose contents are to be added to a table. Immutable.
 *
 * @param paths the files, in the data folder or absolute; they must not change meanwhile
 * @param tableId the table id that they were written with
 * @param columns how their column ids become those of the table
 */
public record FilesToLoad(List<String> paths, int tableId, ColumnTranslation columns) {
  /** Copies. */
  public FilesToLoad {
    paths = List.copyOf(paths);
  }

  /** The table with the drops of the columns of the files, if these are later than its own. */
  public TableDescriptor withDrops(TableDescriptor table) {
    Map<Integer, Long> drops = new HashMap<>();
    columns.columns().forEach(column -> drops.put(column.to(), column.droppedAtMicros()));
    return table.withColumns(
        table.columns().stream()
            .map(
                column ->
                    new TableDescriptor.Column(
                        column.id(),
                        column.kind(),
                        Math.max(
                            column.droppedAtMicros(),
                            drops.getOrDefault(column.id(), RowFormat.NO_TIMESTAMP)),
                        column.present()))
            .toList());
  }
}
