package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.functions.FunctionContext;
import io.helenus.server.modelling.ScriptSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules that are silenced by configuration, keyspace or table. */
class SilenceTest {
  private final ScriptSchema script =
      new ScriptSchema(
          Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0),
          "k",
          new FunctionContext(new SystemClock(), () -> 42));

  @BeforeEach
  void createATableWithTwoMistakes() {
    script.take(AdvicePages.KEYSPACE);
    script.take("CREATE TABLE t (id uuid PRIMARY KEY, followers set<uuid>, image blob)");
  }

  private TableSchema table() {
    TableSchema table = script.schema().table("k", "t");
    assertNotNull(table);
    return table;
  }

  private List<String> rules(Silence silence) {
    return new SchemaAdvisor(silence)
        .advise(script.schema(), table(), 1).stream().map(Advice::rule).toList();
  }

  private static Advice ofBatch(Silence silence, TableSchema table) {
    return new StatementAdvisor(silence).ofBatch(List.of(table), 11, true);
  }

  @Test
  void onlyTheConfiguredRulesSpeak() {
    assertEquals(List.of("growing-collection", "large-blob"), rules(Silence.of("on", "")));
    assertEquals(List.of(), rules(Silence.of("off", "")));
    assertEquals(List.of("large-blob"), rules(Silence.of("large-blob, queue", "")));
    assertNotNull(ofBatch(Silence.of("on", ""), table()));
    assertNotNull(ofBatch(Silence.of(StatementAdvisor.BATCH, ""), table()));
    assertNull(ofBatch(Silence.of("large-blob", ""), table()));
    assertNull(ofBatch(Silence.of("off", ""), table()));
  }

  @Test
  void refusalsAreSpokenOfUnlessTheirRuleIsSilent() {
    for (String on : List.of("on", "large-blob, " + StatementAdvisor.REFUSED)) {
      assertTrue(new StatementAdvisor(Silence.of(on, "")).speaksOfRefusals(table()), on);
      assertFalse(new StatementAdvisor(Silence.of(on, "k")).speaksOfRefusals(table()), on);
    }
    for (String off : List.of("off", "large-blob")) {
      assertFalse(new StatementAdvisor(Silence.of(off, "")).speaksOfRefusals(table()), off);
    }
    script.take(Silence.statement("k.t", List.of(StatementAdvisor.REFUSED)));
    assertFalse(new StatementAdvisor(Silence.of("on", "")).speaksOfRefusals(table()));
  }

  @Test
  void noRuleSpeaksAboutASilentKeyspace() {
    assertEquals(List.of(), rules(Silence.of("on", "other, k")));
    assertNull(ofBatch(Silence.of("on", "k"), table()));
  }

  @Test
  void aTableSilencesSomeRulesOrAll() {
    script.take(Silence.statement("k.t", List.of("large-blob", StatementAdvisor.BATCH)));
    assertEquals(List.of("growing-collection"), rules(Silence.of("on", "")));
    assertNull(ofBatch(Silence.of("on", ""), table()));
    script.take("ALTER TABLE t WITH extensions = {'schema_advice': 'off'}");
    assertEquals(List.of(), rules(Silence.of("on", "")));
  }

  @Test
  void aRuleThatDoesNotExistIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Silence.of("queues", ""));
    assertTrue(refused.getMessage().contains("rules are"), refused::getMessage);
    assertTrue(refused.getMessage().contains(StatementAdvisor.FILTERING), refused::getMessage);
  }
}
