package io.helenus.server.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.helenus.server.conformance.Script;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The statements of the differential tester can be generated again from their seed. */
class GeneratedStatementsTest {
  @RegisterExtension final Seeds seeds = Seeds.from(7);

  @Test
  void theSameSeedGivesTheSameStatements() {
    assertEquals(statements(seeds.first()), statements(seeds.first()));
    assertNotEquals(statements(seeds.first()), statements(seeds.first() + 1));
  }

  private static List<Script.Statement> statements(long seed) {
    Choices choices = new Choices(seed);
    GeneratedDefinitions definitions =
        new GeneratedDefinitions(choices, new GeneratedTypes(choices));
    GeneratedInvalidDefinitions invalid = new GeneratedInvalidDefinitions(choices);
    GeneratedWrites writes = new GeneratedWrites(choices);
    GeneratedSelects selects = new GeneratedSelects(choices);
    GeneratedTable table = definitions.table();
    List<Script.Statement> statements = new ArrayList<>();
    statements.add(definitions.create(table));
    for (int i = 0; i < 50; i++) {
      statements.add(writes.modification(table));
      statements.add(writes.batch(List.of(table)));
      statements.add(selects.select(table));
      statements.add(invalid.statement("ks", table));
    }
    return statements;
  }
}
