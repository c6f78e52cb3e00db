package io.helenus.server.conformance;

import io.helenus.cql.ast.NativeType;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TableStatement.AlterTable;
import io.helenus.cql.ast.TableStatement.Alteration;
import io.helenus.cql.ast.TableStatement.CreateTable;
import io.helenus.cql.ast.TypeName;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of statements, types and functions in docs/compatibility.md: what works, as the
 * recorded scripts show, and what is refused. Not thread-safe.
 */
final class CompatibilityTable {
  private static final Pattern CALL = Pattern.compile("(?<![a-z0-9_])([a-z][a-z0-9_]*+) *\\(");
  private static final List<String> COMPOSED =
      List.of("list", "set", "map", "tuple", "vector", "user type", "frozen<…>");

  private final Map<String, Tally> statements = new TreeMap<>();
  private final Map<String, Tally> types = new TreeMap<>();
  private final Map<String, Tally> functions = new TreeMap<>();

  /** How many recorded statements Cassandra, and so Helenus, accepts and rejects. */
  private static final class Tally {
    private int accepted;
    private int rejected;

    void add(boolean isAccepted) {
      accepted += isAccepted ? 1 : 0;
      rejected += isAccepted ? 0 : 1;
    }
  }

  /**
   * Starts a table.
   *
   * @param allStatements the kinds of statements of the grammar
   * @param allFunctions the names of the native functions
   */
  CompatibilityTable(Set<String> allStatements, Set<String> allFunctions) {
    allStatements.forEach(name -> statements.put(name, new Tally()));
    allFunctions.forEach(name -> functions.put(name, new Tally()));
    for (NativeType type : NativeType.values()) {
      types.put(type.toString(), new Tally());
    }
    COMPOSED.forEach(name -> types.put(name, new Tally()));
  }

  /** Counts a recorded statement. */
  void add(Script.Statement recorded) {
    if (recorded.directive("batch").isPresent()) {
      return;
    }
    boolean accepted = !recorded.isRefusal();
    Matcher call = CALL.matcher(recorded.text().toLowerCase(Locale.ROOT));
    while (call.find()) {
      Tally tally = functions.get(call.group(1));
      if (tally != null) {
        tally.add(accepted);
      }
    }
    try {
      addParsed(CqlParser.parse(recorded.text()), accepted);
    } catch (CqlSyntaxException _) {
      // counted by the tests of the grammar
    }
  }

  private void addParsed(Statement statement, boolean accepted) {
    tally(statements, statement.feature()).add(accepted);
    for (TypeName type : columnTypes(statement)) {
      addType(type, accepted);
    }
  }

  private static List<TypeName> columnTypes(Statement statement) {
    return switch (statement) {
      case CreateTable create -> create.columns().stream().map(ColumnDefinition::type).toList();
      case AlterTable(_, _, Alteration.Add add) ->
          add.columns().stream().map(ColumnDefinition::type).toList();
      default -> List.of();
    };
  }

  private void addType(TypeName type, boolean accepted) {
    switch (type) {
      case TypeName.Native(NativeType scalar) -> tally(types, scalar.toString()).add(accepted);
      case TypeName.ListOf(TypeName element) -> addComposed("list", List.of(element), accepted);
      case TypeName.SetOf(TypeName element) -> addComposed("set", List.of(element), accepted);
      case TypeName.MapOf(TypeName key, TypeName value) ->
          addComposed("map", List.of(key, value), accepted);
      case TypeName.TupleOf(List<TypeName> elements) -> addComposed("tuple", elements, accepted);
      case TypeName.VectorOf(TypeName element, _) ->
          addComposed("vector", List.of(element), accepted);
      case TypeName.Frozen(TypeName inner) -> addComposed("frozen<…>", List.of(inner), accepted);
      case TypeName.UserDefined _ -> addComposed("user type", List.of(), accepted);
      default -> {}
    }
  }

  private void addComposed(String name, List<TypeName> parts, boolean accepted) {
    tally(types, name).add(accepted);
    parts.forEach(part -> addType(part, accepted));
  }

  private static Tally tally(Map<String, Tally> tallies, String name) {
    return tallies.computeIfAbsent(name, _ -> new Tally());
  }

  /**
   * The lines of the table.
   *
   * @param differences what differs from Cassandra, by the name of the statement, type or function
   */
  List<String> lines(Map<String, String> differences) {
    List<String> lines = new ArrayList<>();
    addSection(lines, "Statement", statements, differences);
    addSection(lines, "Type", types, differences);
    addSection(lines, "Function", functions, differences);
    return lines;
  }

  private static void addSection(
      List<String> lines, String title, Map<String, Tally> rows, Map<String, String> differences) {
    lines.add("| " + title + " | | accepted | rejected |");
    lines.add("|---|---|---|---|");
    for (Map.Entry<String, Tally> row : rows.entrySet()) {
      Tally tally = row.getValue();
      String difference = differences.get(row.getKey());
      String state = difference == null ? "works" : "differs: " + difference;
      lines.add(
          String.format(
              "| `%s` | %s | %d | %d |",
              row.getKey(),
              tally.accepted + tally.rejected == 0 ? "refused" : state,
              tally.accepted,
              tally.rejected));
    }
    lines.add("");
  }
}
