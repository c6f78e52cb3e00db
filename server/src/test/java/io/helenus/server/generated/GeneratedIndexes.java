package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Index;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Random CREATE INDEX and DROP INDEX statements, valid and not, for columns of all types but
 * vectors, whose indexes are searched for neighbours only. Not thread-safe.
 */
public final class GeneratedIndexes {
  private static final List<String> TARGETS = List.of("keys", "values", "entries", "full");

  private final Choices choices;
  private int nextIndex;

  /**
   * A statement.
   *
   * @param onAccepted the table after the servers have accepted the statement
   */
  public record Change(Script.Statement statement, UnaryOperator<GeneratedTable> onAccepted) {}

  public GeneratedIndexes(Choices choices) {
    this.choices = choices;
  }

  /** A new index, or sometimes the end of one. */
  public Change next(GeneratedTable table) {
    boolean drop = !table.indexes().isEmpty() && choices.chance(35);
    return drop ? drop(table) : create(table);
  }

  /** A new index. */
  public Change create(GeneratedTable table) {
    List<Column> columns =
        table.columns().stream()
            .filter(each -> !(each.type() instanceof DataType.VectorOf))
            .toList();
    Column column = choices.oneOf(columns.isEmpty() ? table.columns() : columns);
    String target = choices.chance(93) ? target(column) : choices.oneOf(TARGETS);
    boolean attached = choices.chance(55) && !missesEmpty(column);
    String name = name(table);
    String text =
        (attached && choices.chance(30) ? "CREATE CUSTOM INDEX " : "CREATE INDEX ")
            + (choices.chance(5) ? "IF NOT EXISTS " : "")
            + name
            + (name.isEmpty() ? "ON " : " ON ")
            + table.name()
            + " ("
            + (target.isEmpty() ? column.name() : target + "(" + column.name() + ")")
            + ")"
            + (attached ? using() : choices.chance(5) ? " USING 'legacy_local_table'" : "")
            + (attached ? options(column) : "");
    String known =
        name.isEmpty()
            ? (table.name() + "_" + column.name()).replaceAll("\\W", "") + "_idx"
            : GeneratedDefinitions.unquoted(name);
    Index index = new Index(known, column.name(), target, attached);
    return new Change(GeneratedDefinitions.plain(text), each -> each.with(index));
  }

  /**
   * Whether Cassandra's storage-attached indexes do not find the empty text in the column, or no
   * value that is greater than an empty one.
   */
  private static boolean missesEmpty(Column column) {
    return column.descending()
        && column.type() instanceof DataType.Scalar type
        && switch (type) {
          case TEXT, ASCII, INT, BIGINT, DOUBLE, FLOAT, TIMESTAMP, UUID, TIMEUUID -> true;
          default -> false;
        };
  }

  /** What the index of a column is made of: nothing to name if it is the whole value. */
  private String target(Column column) {
    if (column.isMultiCell() && column.type() instanceof DataType.MapOf) {
      return choices.oneOf("keys", "values", "entries", "");
    }
    boolean collection =
        switch (column.type()) {
          case DataType.ListOf _, DataType.SetOf _, DataType.MapOf _ -> true;
          default -> false;
        };
    return !collection ? "" : column.isMultiCell() ? choices.oneOf("values", "") : "full";
  }

  private String name(GeneratedTable table) {
    if (choices.chance(40)) {
      return "";
    }
    if (!table.indexes().isEmpty() && choices.chance(5)) {
      return "\"" + choices.oneOf(table.indexes()).name() + "\"";
    }
    return choices.chance(90) ? "i" + nextIndex++ : "\"Index" + nextIndex++ + "\"";
  }

  private String using() {
    return " USING '"
        + choices.oneOf(
            "sai",
            "sai",
            "SAI",
            "StorageAttachedIndex",
            "org.apache.cassandra.index.sai.StorageAttachedIndex")
        + "'";
  }

  private String options(Column column) {
    if (!choices.chance(column.type() == DataType.Scalar.TEXT ? 60 : 8)) {
      return "";
    }
    String second = ", '" + choices.oneOf("normalize", "ascii") + "': 'true'";
    return " WITH OPTIONS = "
        + choices.oneOf(
            "{'case_sensitive': 'false'}",
            "{'case_sensitive': false}",
            "{'normalize': 'true'}",
            "{'ascii': 'true'}",
            "{'case_sensitive': 'false'" + second + "}",
            choices.oneOf("{}", "{'nosuch': 'a'}", "{'ascii': 'maybe'}", "{'target': 'v'}"));
  }

  private Change drop(GeneratedTable table) {
    Index index = choices.oneOf(table.indexes());
    String head = choices.chance(10) ? "DROP INDEX IF EXISTS " : "DROP INDEX ";
    return new Change(
        GeneratedDefinitions.plain(head + '"' + index.name() + '"'), each -> each.without(index));
  }
}
