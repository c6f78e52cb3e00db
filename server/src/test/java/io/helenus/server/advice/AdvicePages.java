package io.helenus.server.advice;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.modelling.ScriptSchema;
import io.helenus.server.modelling.ScriptStatement;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** The pages of {@code docs/advice} with their examples, and what is advised about scripts. */
public final class AdvicePages {
  private static final Path FOLDER = Path.of("..", "docs", "advice");
  static final String KEYSPACE =
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

  private AdvicePages() {}

  /**
   * A page.
   *
   * @param rule its name
   * @param bad the scripts about which it speaks
   * @param good those about which it is silent
   */
  public record Page(String rule, List<String> bad, List<String> good) {
    @Override
    public String toString() {
      return rule;
    }
  }

  /** All pages of rules. */
  public static List<Page> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Page> pages = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".md") && !name.equals("README.md")) {
          String text = Files.readString(file);
          pages.add(
              new Page(
                  name.substring(0, name.length() - 3),
                  examples(text, "## Raises it"),
                  examples(text, "## Does not")));
        }
      }
      return pages;
    }
  }

  private static List<String> examples(String page, String heading) {
    List<String> examples = new ArrayList<>();
    int from = page.indexOf(heading);
    if (from < 0) {
      return examples;
    }
    int end = page.indexOf("\n## ", from + 1);
    String section = page.substring(from, end < 0 ? page.length() : end);
    String[] parts = section.split("```", -1);
    for (int i = 1; i < parts.length; i += 2) {
      if (parts[i].startsWith("cql\n")) {
        examples.add(parts[i].substring(4));
      }
    }
    return examples;
  }

  /** What is advised about the tables that a script defines, in the keyspace k. */
  static List<Advice> adviceAbout(String script) {
    return adviceAbout(script, 1);
  }

  /** The same in a cluster of several data centres. */
  static List<Advice> adviceAbout(String script, int dataCenters) {
    ScriptSchema schema =
        new ScriptSchema(
            Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
            "k",
            new FunctionContext(new SystemClock(), () -> 42));
    schema.take(KEYSPACE);
    Set<String> tables = new LinkedHashSet<>();
    for (ScriptStatement statement : ScriptStatement.split(script)) {
      SchemaChange change = schema.take(statement.text());
      if (change != null && change.table() != null) {
        tables.add(change.keyspace() + "." + change.table());
      }
    }
    List<Advice> advice = new ArrayList<>();
    SchemaAdvisor advisor = new SchemaAdvisor(Silence.of("on", ""));
    for (String name : tables) {
      String[] parts = name.split("\\.", 2);
      TableSchema table = schema.schema().table(parts[0], parts[1]);
      if (table != null) {
        advice.addAll(advisor.advise(schema.schema(), table, dataCenters));
      }
    }
    return advice;
  }
}
