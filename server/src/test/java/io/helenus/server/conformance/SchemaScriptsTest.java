package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.ConfiguredGuardrails;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.ColumnMaskCompiler;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.MaskCompiler;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.server.schema.TypeResolver;
import io.helenus.server.schema.ViewWhere;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs the DDL statements of the scripts against the schema's pure functions, without a server. */
class SchemaScriptsTest {
  private static final TokenRing ONE_NODE =
      TokenRing.of(
          Map.of(new RingNode(new UUID(1, 1), "datacenter1", "rack1"), new long[] {0, 1000}));

  private final List<String> differences = new ArrayList<>();
  private Schema schema = Schema.of(List.of(), new UUID(0, 0), 0);
  private @Nullable String keyspace;
  private @Nullable MaskCompiler masks;
  private @Nullable ViewWhere views;
  private Guardrails guardrails = Guardrails.NONE;
  private int ids;

  @Test
  void definitionsAreAcceptedAndRejectedAsRecorded() throws IOException {
    for (Script script : Script.readAll(ScriptTest.folder())) {
      schema = Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0);
      boolean masked = script.settings().containsKey(Setting.DYNAMIC_DATA_MASKING_ENABLED.name());
      masks =
          masked ? new ColumnMaskCompiler(new FunctionContext(new SystemClock(), () -> 42)) : null;
      boolean hasViews = script.settings().containsKey(Setting.MATERIALIZED_VIEWS_ENABLED.name());
      views =
          hasViews ? new ViewWhereCompiler(new FunctionContext(new SystemClock(), () -> 42)) : null;
      TestSettings settings = TestSettings.simulated();
      script.settings().forEach((name, value) -> settings.with(Setting.named(name), value));
      guardrails = ConfiguredGuardrails.of(settings.build());
      keyspace = null;
      ids = 100;
      for (Script.Statement statement : script.statements()) {
        step(script, statement);
      }
    }
    assertEquals(0, differences.size(), () -> String.join("\n", differences));
  }

  private void step(Script script, Script.Statement statement) {
    List<String> recorded = statement.answer();
    if (recorded.getFirst().startsWith("> in keyspace ")) {
      keyspace = recorded.getFirst().substring("> in keyspace ".length());
      return;
    }
    Statement parsed;
    try {
      parsed = CqlParser.parse(statement.text(), false, TypeResolver::requireClass);
    } catch (CqlSyntaxException | CqlException _) {
      return;
    }
    if (parsed instanceof SchemaStatement definition
        && recorded.stream().noneMatch(line -> line.contains("No keyspace has been specified"))) {
      compare(script, statement, definition);
    }
  }

  private void compare(Script script, Script.Statement statement, SchemaStatement definition) {
    boolean prepares =
        statement.directive("prepare").isPresent() || statement.directive("bind").isPresent();
    boolean prepareOnly = statement.directive("prepare").isPresent();
    Directives directives = new Directives(statement);
    List<String> actual =
        (prepareOnly ? preparation(definition) : answer(statement, definition))
            .stream()
                .map(line -> directives.has("repeats") ? Repeats.contract(line) : line)
                .map(directives::maskText)
                .toList();
    List<String> expected =
        statement.answer().stream().filter(line -> !prepares || !isOfPrepare(line)).toList();
    if (!expected.equals(actual)) {
      differences.add(
          String.format(
              "%s:%d %s\n  - %s\n  + %s",
              script.topic(),
              statement.lineNumber(),
              statement.text(),
              String.join("\n  - ", expected),
              String.join("\n  + ", actual)));
    }
  }

  private static boolean isOfPrepare(String line) {
    return line.startsWith("> prepared ")
        || line.startsWith("> returns ")
        || line.startsWith("> with ")
        || line.startsWith("> warning: `USE");
  }

  private List<String> preparation(SchemaStatement definition) {
    try {
      SchemaPlanner.check(definition, keyspace);
      return List.of();
    } catch (CqlException e) {
      return List.of(text(e.error()));
    }
  }

  private List<String> answer(Script.Statement statement, SchemaStatement definition) {
    List<String> lines = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    ids++;
    SchemaContext context =
        new SchemaContext(
            statement.directive("keyspace").orElse(keyspace),
            new UUID(0x1000, ids),
            ids,
            1_000_000L * 2_000_000_000 + ids,
            ONE_NODE,
            masks,
            views,
            guardrails,
            warnings::add);
    try {
      SchemaChange change = SchemaPlanner.plan(schema, definition, context).warned(warnings);
      change
          .warnings()
          .forEach(warning -> lines.add("> warning: " + Literal.escape(warning).stripTrailing()));
      if (change.edit() == null) {
        lines.add("> done");
      } else {
        String name = change.table() == null ? change.type() : change.table();
        String part = name == null ? "" : "." + name;
        lines.add("> " + change.action() + " " + change.target() + " " + change.keyspace() + part);
        schema = schema.apply(change.edit(), new UUID(0, ids), ids);
      }
    } catch (CqlException e) {
      if (e.isGuardrail()) {
        warnings.add(e.error().message());
      }
      warnings.forEach(
          warning -> lines.add("> warning: " + Literal.escape(warning).stripTrailing()));
      lines.add(text(e.error()));
    }
    return lines;
  }

  private static String text(CqlError error) {
    String fields =
        error instanceof CqlError.AlreadyExists exists
            ? " [" + exists.keyspace() + "." + exists.table() + "]"
            : "";
    return String.format("! %04x %s%s", error.code(), Literal.escape(error.message()), fields)
        .stripTrailing();
  }
}
