package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.SchemaAdvisor;
import io.helenus.server.advice.Silence;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.modelling.ScriptSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The tables of the scripts, whose names say nothing and which nobody runs for years, raise no more
 * advice than they deserve. Which that is was judged one by one, and is listed.
 */
class AdviceOnScriptsTest {
  private static final Path JUDGED =
      Path.of("src", "test", "resources", "advice", "conformance-scripts.txt");

  private final SchemaAdvisor advisor = new SchemaAdvisor(Silence.of("on", ""));
  private final Set<String> raised = new TreeSet<>();
  private int tables;
  private int notTaken;

  @Test
  void tablesRaiseNothingButWhatWasJudgedRight() throws IOException {
    for (Script script : Script.readAll(ScriptTest.folder())) {
      ScriptSchema schema =
          new ScriptSchema(
              Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
              null,
              new FunctionContext(new SystemClock(), () -> 42));
      for (Script.Statement statement : script.statements()) {
        if (!statement.isRefusal()) {
          take(script.topic(), schema, statement.text());
        }
      }
    }
    Map<String, Integer> byRule = new TreeMap<>();
    raised.forEach(each -> byRule.merge(each.substring(0, each.indexOf(' ')), 1, Integer::sum));
    System.out.println(raised.size() + " about " + tables + " tables of the scripts: " + byRule);
    Set<String> judged = new TreeSet<>();
    Files.readAllLines(JUDGED).stream()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .forEach(judged::add);
    Set<String> unexpected = new TreeSet<>(raised);
    unexpected.removeAll(judged);
    assertEquals("", String.join("\n", unexpected));
    assertTrue(tables > 2_500, "tables " + tables + ", statements not taken " + notTaken);
  }

  private void take(String topic, ScriptSchema schema, String text) {
    SchemaChange change;
    try {
      change = schema.take(text);
    } catch (CqlException | CqlSyntaxException e) {
      notTaken++;
      return;
    }
    if (change == null || change.table() == null) {
      return;
    }
    TableSchema table = schema.schema().table(change.keyspace(), change.table());
    if (table != null) {
      tables++;
      for (Advice advice : advisor.advise(schema.schema(), table, 1)) {
        raised.add(advice.rule() + " " + topic + " " + advice.table());
      }
    }
  }
}
