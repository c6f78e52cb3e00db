package io.helenus.server.modelling;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.KeyspaceStatement;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.UseStatement;
import io.helenus.cql.ast.ViewStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads scripts into a schema, the stated rates and the queries. Not thread-safe. */
final class ScriptReader {
  /** The keyspace of tables whose script names none. */
  static final String DEFAULT_KEYSPACE = "app";

  private final ScriptSchema schema;
  private final Map<String, Definition> definitions = new LinkedHashMap<>();
  private final List<Query> queries = new ArrayList<>();

  /**
   * Where a table is defined, and what is stated there.
   *
   * @param script the file
   * @param line of the definition
   */
  record Definition(Script script, int line, Stated stated) {}

  ScriptReader(ScriptSchema schema) {
    this.schema = schema;
  }

  ScriptSchema schema() {
    return schema;
  }

  /** The definitions of tables and views that exist in the end, by their names. */
  Map<String, Definition> definitions() {
    return definitions;
  }

  List<Query> queries() {
    return queries;
  }

  /** Reads a script with definitions, and queries if it has them. */
  void read(Script script) throws ScriptException {
    List<ScriptStatement> statements = ScriptStatement.split(script.text());
    List<Statement> parsed = new ArrayList<>();
    for (ScriptStatement each : statements) {
      parsed.add(parse(script, each));
    }
    createKeyspaces(parsed);
    for (int i = 0; i < statements.size(); i++) {
      take(script, statements.get(i), parsed.get(i));
    }
    forgetDropped();
  }

  /** Takes the queries of a log, of which some may be cut. */
  void readLog(List<StatementLog.Entry> entries, String file) {
    for (StatementLog.Entry each : entries) {
      Statement statement = null;
      String problem = "";
      try {
        statement = CqlParser.parse(each.text());
      } catch (CqlSyntaxException e) {
        problem = String.valueOf(e.getMessage());
      }
      if (statement == null || isQuery(statement)) {
        queries.add(
            new Query(
                file,
                each.line(),
                "",
                each.text(),
                statement,
                problem,
                keyspaceInUse(),
                each.times()));
      }
    }
  }

  private static Statement parse(Script script, ScriptStatement statement) throws ScriptException {
    try {
      return CqlParser.parse(statement.text(), true, ignored -> {});
    } catch (CqlSyntaxException e) {
      throw new ScriptException(script, statement.line(), String.valueOf(e.getMessage()));
    }
  }

  /** Scripts without CREATE KEYSPACE are common: what they use is created. */
  private void createKeyspaces(List<Statement> parsed) {
    if (parsed.stream().anyMatch(KeyspaceStatement.CreateKeyspace.class::isInstance)) {
      return;
    }
    boolean usesAny = schema.keyspace() != null;
    for (Statement each : parsed) {
      if (each instanceof UseStatement(String keyspace)) {
        usesAny = true;
        createKeyspace(keyspace);
      } else if (each instanceof TableStatement.CreateTable create) {
        String keyspace = create.table().keyspace();
        if (keyspace != null) {
          createKeyspace(keyspace);
        } else if (!usesAny) {
          usesAny = true;
          createKeyspace(DEFAULT_KEYSPACE);
          schema.take("USE " + DEFAULT_KEYSPACE);
        }
      }
    }
  }

  private void createKeyspace(String keyspace) {
    if (schema.schema().keyspace(keyspace) == null) {
      schema.take(
          "CREATE KEYSPACE \""
              + keyspace.replace("\"", "\"\"")
              + "\" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    }
  }

  private void take(Script script, ScriptStatement statement, Statement parsed)
      throws ScriptException {
    Stated stated = stated(script, statement, parsed);
    if (isQuery(parsed)) {
      String title = QueryText.oneLine(String.join(" ", statement.comments()));
      queries.add(
          new Query(
              script.name(),
              statement.line(),
              title,
              QueryText.oneLine(statement.text()),
              parsed,
              "",
              keyspaceInUse(),
              1));
      return;
    }
    if (!(parsed instanceof SchemaStatement || parsed instanceof UseStatement)) {
      return;
    }
    SchemaChange change;
    try {
      change = schema.take(statement.text());
    } catch (CqlException e) {
      throw new ScriptException(script, statement.line(), String.valueOf(e.getMessage()));
    }
    boolean creates =
        parsed instanceof TableStatement.CreateTable || parsed instanceof ViewStatement.CreateView;
    if (creates && change != null && change.edit() != null) {
      definitions.put(
          change.keyspace() + "." + change.table(),
          new Definition(script, statement.line(), stated));
    }
  }

  private static boolean isQuery(Statement statement) {
    return statement instanceof SelectStatement
        || statement instanceof ModificationStatement
        || statement instanceof BatchStatement;
  }

  private static Stated stated(Script script, ScriptStatement statement, Statement parsed)
      throws ScriptException {
    List<Rate> rates = new ArrayList<>();
    List<StatedBucket> buckets = new ArrayList<>();
    for (String comment : statement.comments()) {
      boolean isRate = Rate.isRate(comment);
      if (!isRate && !StatedBucket.isBucket(comment)) {
        continue;
      }
      if (!(parsed instanceof TableStatement.CreateTable)) {
        throw new ScriptException(
            script,
            statement.line(),
            "'-- " + comment + "' is stated before a CREATE TABLE, not here");
      }
      Rate rate = isRate ? Rate.parse(comment) : null;
      StatedBucket bucket = isRate ? null : StatedBucket.parse(comment);
      if (rate != null) {
        rates.add(rate);
      } else if (bucket != null) {
        buckets.add(bucket);
      } else {
        throw new ScriptException(
            script,
            statement.line(),
            "cannot read '-- "
                + comment
                + "'; it is written like '"
                + (isRate ? Rate.FORM : StatedBucket.FORM)
                + "'");
      }
    }
    return new Stated(rates, buckets);
  }

  private void forgetDropped() throws ScriptException {
    definitions.keySet().removeIf(each -> table(each) == null);
    for (Map.Entry<String, Definition> each : definitions.entrySet()) {
      TableSchema table = table(each.getKey());
      for (String column : each.getValue().stated().columns()) {
        if (table != null && table.column(column) == null) {
          throw new ScriptException(
              each.getValue().script(),
              each.getValue().line(),
              "a comment names " + column + ", which is no column of " + table.cqlName());
        }
      }
    }
  }

  /** The table of a definition. */
  @Nullable TableSchema table(String name) {
    int dot = name.indexOf('.');
    return schema.schema().table(name.substring(0, dot), name.substring(dot + 1));
  }

  /** That of USE or, without one, the only keyspace. */
  private @Nullable String keyspaceInUse() {
    if (schema.keyspace() != null) {
      return schema.keyspace();
    }
    List<String> all =
        schema.schema().keyspaces().stream()
            .map(KeyspaceSchema::name)
            .filter(each -> !SchemaNames.isSystem(each))
            .toList();
    return all.size() == 1 ? all.getFirst() : null;
  }
}
