package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Conformance;
import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.conformance.ScriptRunner;
import io.helenus.server.generated.Choices;
import io.helenus.server.generated.GeneratedAlterations;
import io.helenus.server.generated.GeneratedDefinitions;
import io.helenus.server.generated.GeneratedTable;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Role;
import io.helenus.server.generated.GeneratedTypes;
import io.helenus.server.generated.GeneratedViews;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedViewsTest {
  private static final int SEEDS = 8;
  private static final int STEPS = 60;
  private static final int STEPS_BETWEEN_CHECKS = 6;

  @TempDir Path folder;

  private int created;
  private int refused;
  private int dropped;
  private int changed;

  @Test
  void theViewsHaveTheColumnsThatTheServerShows() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 1, Map.of("materialized_views_enabled", "true"));
      try (ScriptRunner runner = Conformance.runner(node.host() + ":" + node.port())) {
        for (int seed = 1; seed <= SEEDS; seed++) {
          run(runner, seed);
        }
      }
    }
    assertTrue(created > 2 * SEEDS, created + " views");
    assertTrue(refused > SEEDS, refused + " refused statements");
    assertTrue(dropped > SEEDS / 2, dropped + " dropped");
    assertTrue(changed > SEEDS, changed + " changes of base tables");
  }

  @Test
  void viewsThatCassandraGetsWrongAreNotCreated() {
    GeneratedViews views = new GeneratedViews(new Choices(1));
    List<Column> columns =
        List.of(
            new Column("p0", DataType.Scalar.INT, Role.PARTITION, false, true),
            new Column("c1", DataType.Scalar.INT, Role.CLUSTERING, true, true),
            new Column("c2", DataType.Scalar.INT, Role.CLUSTERING, false, true));
    GeneratedTable compact = new GeneratedTable("t0", GeneratedTable.Kind.COMPACT, columns);
    int conditions = 0;
    for (int i = 0; i < 1000; i++) {
      String text = views.create(compact).statement().text();
      assertFalse(text.contains("SELECT *"), text);
      boolean descending = text.matches(".* PRIMARY KEY \\((?:c1|\\([^)]*c1).*");
      assertFalse(descending && isWhole(text), text);
      boolean first = text.contains(" c1 = ") || text.contains(" c1 IN ");
      assertFalse(!first && text.matches(".* \\(c2\\) [<>].*"), text);
      conditions += text.matches(".* \\(c1(?:, c2)?\\) [<>].*") ? 1 : 0;
    }
    assertTrue(conditions > 0);
  }

  /** Whether all columns of the table's key are in that of the view. */
  private static boolean isWhole(String text) {
    String key = text.substring(text.indexOf("PRIMARY KEY"));
    return key.contains("p0") && key.contains("c1") && key.contains("c2");
  }

  private void run(ScriptRunner runner, int seed) throws IOException {
    String keyspace = "views_" + seed;
    accepts(
        runner,
        "CREATE KEYSPACE "
            + keyspace
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    accepts(runner, "USE " + keyspace);
    Choices choices = new Choices(seed);
    GeneratedTypes types = new GeneratedTypes(choices);
    GeneratedDefinitions definitions = new GeneratedDefinitions(choices, types);
    GeneratedViews views = new GeneratedViews(choices);
    DataType.UserType type = types.newUserType();
    assertTrue(accepts(runner, GeneratedDefinitions.create(type).text()));
    types.put(type);
    List<GeneratedTable> tables = new ArrayList<>();
    while (tables.size() < 3) {
      GeneratedTable table = definitions.table();
      if (table.kind() != GeneratedTable.Kind.COUNTER
          && accepts(runner, definitions.create(table).text())) {
        tables.add(table);
      }
    }
    GeneratedAlterations alterations =
        new GeneratedAlterations(choices, definitions, types, tables);
    for (int step = 0; step < STEPS; step++) {
      GeneratedTable table = choices.oneOf(tables);
      boolean ofView = choices.chance(70);
      GeneratedAlterations.Alteration change = ofView ? views.next(table) : alterations.next(table);
      int before = views.tables().size();
      if (accepts(runner, change.statement().text())) {
        List<GeneratedTable> known = List.copyOf(tables);
        change.onAccepted().run();
        views.follow(known, tables);
        created += views.tables().size() > before ? 1 : 0;
        dropped += views.tables().size() < before ? 1 : 0;
        changed += known.equals(tables) ? 0 : 1;
      } else if (ofView) {
        refused++;
      }
      if (step % STEPS_BETWEEN_CHECKS == 0) {
        for (GeneratedTable view : views.tables()) {
          assertEquals(columns(view), shown(runner, keyspace, view), view.name() + " of " + seed);
        }
      }
    }
  }

  private static boolean accepts(ScriptRunner runner, String text) throws IOException {
    return !Difference.refused(runner.answer(GeneratedDefinitions.plain(text)));
  }

  /** The columns of a view as {@code system_schema.columns} shows them. */
  private static Set<String> columns(GeneratedTable view) {
    Set<String> columns = new TreeSet<>();
    for (Column column : view.columns()) {
      List<Column> ofRole = view.of(column.role());
      String kind =
          switch (column.role()) {
            case PARTITION -> "partition_key";
            case CLUSTERING -> "clustering";
            case STATIC -> "static";
            case REGULAR -> "regular";
          };
      String direction = column.descending() ? "desc" : "asc";
      columns.add(
          "> '%s' | '%s' | '%s' | %d"
              .formatted(
                  GeneratedDefinitions.unquoted(column.name()),
                  kind,
                  column.role() == Role.CLUSTERING ? direction : "none",
                  column.role() == Role.REGULAR ? -1 : ofRole.indexOf(column)));
    }
    return columns;
  }

  private static Set<String> shown(ScriptRunner runner, String keyspace, GeneratedTable view)
      throws IOException {
    List<String> answer =
        runner.answer(
            GeneratedDefinitions.plain(
                "SELECT column_name, kind, clustering_order, position FROM system_schema.columns"
                    + " WHERE keyspace_name = '"
                    + keyspace
                    + "' AND table_name = '"
                    + GeneratedDefinitions.unquoted(view.name())
                    + "'"));
    return new TreeSet<>(answer.subList(1, answer.size()));
  }
}
