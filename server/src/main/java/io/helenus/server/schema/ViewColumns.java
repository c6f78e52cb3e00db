package io.helenus.server.schema;

import io.helenus.storage.engine.TableDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The columns of materialized views, which are those of their base tables. Stateless. */
final class ViewColumns {
  private ViewColumns() {}

  /** A column of the base table as one of the view. */
  static ColumnSchema shown(
      ColumnSchema column, ColumnKind kind, int position, boolean descending) {
    return new ColumnSchema(
        column.name(),
        column.type(),
        kind,
        position,
        descending,
        column.id(),
        column.multiCell(),
        column.mask(),
        List.of());
  }

  /** The regular columns of the base table that the view does not show, by ascending id. */
  static List<TableDescriptor.Column> unselected(TableSchema base, TableSchemaBuilder view) {
    List<TableDescriptor.Column> unselected = new ArrayList<>();
    for (TableDescriptor.Column cells : base.descriptor().columns()) {
      if (cells.present() && !view.hasColumn(cells.id())) {
        ColumnSchema column = base.column(cells.id());
        if (column.kind() == ColumnKind.REGULAR) {
          unselected.add(cells);
        }
      }
    }
    return unselected;
  }

  /** A view after its base table has changed: names, masks and added columns follow. */
  static TableSchema following(TableSchema view, TableSchema base) {
    ViewSchema definition = Objects.requireNonNull(view.view());
    TableSchemaBuilder changed = view.toBuilder();
    for (ColumnSchema column : view.columns()) {
      ColumnSchema shown = base.column(column.id());
      changed.rename(column, shown.name()).mask(shown.name(), shown.mask());
    }
    if (definition.allColumns()) {
      for (ColumnSchema column : base.regularColumns()) {
        if (!changed.hasColumn(column.id()) && !base.isHidden(column)) {
          changed.add(shown(column, ColumnKind.REGULAR, -1, false));
        }
      }
    }
    return changed
        .view(
            new ViewSchema(
                definition.baseTable(),
                definition.baseId(),
                definition.allColumns(),
                definition.conditions(),
                definition.keyColumn(),
                unselected(base, changed)))
        .build();
  }
}
