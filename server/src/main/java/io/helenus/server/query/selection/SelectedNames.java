package io.helenus.server.query.selection;

import io.helenus.cql.ast.Selectable;
import io.helenus.cql.ast.Selector;
import io.helenus.server.query.statement.Columns;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** The columns named by a select list, resolved before any other check. Stateless. */
public final class SelectedNames {
  private SelectedNames() {}

  /** The columns in the order of the text; rejects unknown ones. Empty for {@code *}. */
  public static List<ColumnSchema> of(TableSchema table, List<Selector> selectors) {
    List<ColumnSchema> found = new ArrayList<>();
    for (Selector selector : selectors) {
      collect(table, selector.selectable(), found);
    }
    return found;
  }

  private static void collect(TableSchema table, Selectable selectable, List<ColumnSchema> found) {
    switch (selectable) {
      case Selectable.Column(String name, boolean ignored) ->
          found.add(Columns.require(table, name));
      case Selectable.Value ignored -> {}
      case Selectable.CountRows ignored -> {}
      case Selectable.Function(var ignored, List<Selectable> arguments) ->
          collectAll(table, arguments, found);
      case Selectable.CellFactOf fact -> found.add(Columns.require(table, fact.column().name()));
      case Selectable.Cast(Selectable operand, var ignored) -> collect(table, operand, found);
      case Selectable.TypeHint(var ignored, Selectable operand) -> collect(table, operand, found);
      case Selectable.Operation(var ignored, Selectable left, Selectable right) -> {
        collect(table, left, found);
        collect(table, right, found);
      }
      case Selectable.Negation(Selectable operand) -> collect(table, operand, found);
      case Selectable.Field(Selectable operand, String ignored) -> collect(table, operand, found);
      case Selectable.Element(Selectable operand, var ignored) -> collect(table, operand, found);
      case Selectable.Slice(Selectable operand, var ignored, var alsoIgnored) ->
          collect(table, operand, found);
      case Selectable.Parenthesised(List<Selectable> elements) ->
          collectAll(table, elements, found);
      case Selectable.ListOf(List<Selectable> elements) -> collectAll(table, elements, found);
      case Selectable.SetOf(List<Selectable> elements) -> collectAll(table, elements, found);
      case Selectable.MapOrUserType(List<Selectable.MapOrUserType.Entry> entries) -> {
        for (Selectable.MapOrUserType.Entry entry : entries) {
          // a name may be a field of a user type
          if (!(entry.key() instanceof Selectable.Column)) {
            collect(table, entry.key(), found);
          }
          collect(table, entry.value(), found);
        }
      }
    }
  }

  /**
   * Whether the elements read static columns, and of other columns only those of the partition key.
   * In Cassandra, the entries of a map or user type in braces count as other columns, if their
   * values do not name any; here they do in any case.
   */
  public static boolean areStatic(TableSchema table, List<Selector> selectors) {
    if (table.columns().stream().noneMatch(ColumnSchema::isStatic)) {
      return false;
    }
    boolean any = false;
    for (ColumnSchema column : of(table, selectors)) {
      if (column.kind() == ColumnKind.REGULAR || column.kind() == ColumnKind.CLUSTERING) {
        return false;
      }
      any |= column.isStatic();
    }
    return any && selectors.stream().noneMatch(each -> hasEntries(each.selectable()));
  }

  private static boolean hasEntries(Selectable selectable) {
    return switch (selectable) {
      case Selectable.MapOrUserType(List<Selectable.MapOrUserType.Entry> entries) ->
          !entries.isEmpty();
      case Selectable.Function(var ignored, List<Selectable> arguments) -> anyHasEntries(arguments);
      case Selectable.Cast(Selectable operand, var ignored) -> hasEntries(operand);
      case Selectable.TypeHint(var ignored, Selectable operand) -> hasEntries(operand);
      case Selectable.Operation(var ignored, Selectable left, Selectable right) ->
          hasEntries(left) || hasEntries(right);
      case Selectable.Negation(Selectable operand) -> hasEntries(operand);
      case Selectable.Field(Selectable operand, String ignored) -> hasEntries(operand);
      case Selectable.Element(Selectable operand, var ignored) -> hasEntries(operand);
      case Selectable.Slice(Selectable operand, var ignored, var alsoIgnored) ->
          hasEntries(operand);
      case Selectable.Parenthesised(List<Selectable> elements) -> anyHasEntries(elements);
      case Selectable.ListOf(List<Selectable> elements) -> anyHasEntries(elements);
      case Selectable.SetOf(List<Selectable> elements) -> anyHasEntries(elements);
      case Selectable.Column ignored -> false;
      case Selectable.Value ignored -> false;
      case Selectable.CountRows ignored -> false;
      case Selectable.CellFactOf ignored -> false;
    };
  }

  private static boolean anyHasEntries(List<Selectable> selectables) {
    return selectables.stream().anyMatch(SelectedNames::hasEntries);
  }

  private static void collectAll(
      TableSchema table, List<Selectable> selectables, List<ColumnSchema> found) {
    for (Selectable each : selectables) {
      collect(table, each, found);
    }
  }
}
