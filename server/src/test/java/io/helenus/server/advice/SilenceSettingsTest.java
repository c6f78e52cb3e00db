package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the settings and the extension of a table say, as texts. */
class SilenceSettingsTest {
  private static final String DATE = "date-partition-key";
  private static final String ORDER = "ascending-order";
  private static final TableSchema TABLE = Tables.of("CREATE TABLE t (k int PRIMARY KEY)");

  private static TableSchema with(String statement) {
    return Tables.of("CREATE TABLE t (k int PRIMARY KEY); " + statement);
  }

  @Test
  void allRulesSpeakWhenOn() {
    Silence silence = Silence.of("on", "");
    assertFalse(silence.isSilent(TABLE));
    assertTrue(SchemaAdvisor.ruleNames().stream().allMatch(rule -> silence.speaks(rule, TABLE)));
  }

  @Test
  void noneSpeaksWhenOff() {
    assertTrue(Silence.of(" off ", "").isSilent(TABLE));
  }

  @ParameterizedTest
  @ValueSource(strings = {DATE, DATE + ", " + ORDER, "[" + DATE + "," + ORDER + ",]"})
  void namedRulesAloneSpeak(String names) {
    Silence silence = Silence.of(names, "");
    assertFalse(silence.isSilent(TABLE));
    assertTrue(silence.speaks(DATE, TABLE));
    assertEquals(names.contains(ORDER), silence.speaks(ORDER, TABLE));
    assertFalse(silence.speaks("low-cardinality-partition-key", TABLE));
  }

  @ParameterizedTest
  @CsvSource({
    "'slow-table, date-partition-key, ofF', 'ofF, slow-table'",
    "On, On",
    "'on, off', 'off, on'",
    "'', '\"\"'",
    "'[]', '\"\"'"
  })
  void aRuleThatDoesNotExistIsRefusedWithThoseThatDo(String names, String unknown) {
    String text =
        assertThrows(IllegalArgumentException.class, () -> Silence.of(names, "")).getMessage();
    String start = "neither on, off nor the name of a rule: " + unknown + "; rules are ";
    assertTrue(text.startsWith(start), text);
    List<String> rules = List.of(text.substring(start.length()).split(", ", -1));
    assertTrue(rules.containsAll(SchemaAdvisor.ruleNames()), text);
  }

  @Test
  void keyspacesAreSilenced() {
    assertTrue(Silence.of("on", "a, k").isSilent(TABLE));
    assertTrue(Silence.of(DATE, "[k]").isSilent(TABLE));
    assertFalse(Silence.of("on", "K, kk").isSilent(TABLE));
  }

  @Test
  void aTableSilencesRulesByItsExtension() {
    Silence silence = Silence.of("on", "");
    TableSchema one = with(Silence.statement("t", List.of(DATE)));
    assertFalse(silence.isSilent(one));
    assertFalse(silence.speaks(DATE, one));
    assertTrue(silence.speaks(ORDER, one));
    TableSchema two = with(Silence.statement("t", List.of(DATE, ORDER)));
    assertFalse(silence.speaks(ORDER, two));
    assertTrue(silence.isSilent(with(Silence.statement("t", List.of("off")))));
    assertTrue(silence.isSilent(with("ALTER TABLE t WITH extensions = {'schema_advice': 'off'}")));
  }

  @Test
  void aTableSpeaksAgainWithoutTheExtension() {
    TableSchema table =
        with(
            Silence.statement("t", List.of("off"))
                + "ALTER TABLE t WITH comment = 'c'; ALTER TABLE t WITH extensions = {}");
    assertFalse(Silence.of("on", "").isSilent(table));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x", "0xff", "0x6f66"})
  void anExtensionThatNamesNoRuleSilencesNone(String value) {
    TableSchema table = with("ALTER TABLE t WITH extensions = {'schema_advice': " + value + "}");
    assertFalse(Silence.of("on", "").isSilent(table));
    assertTrue(Silence.of("on", "").speaks(DATE, table));
  }

  @Test
  void theStatementThatSilencesCanBePasted() {
    assertEquals(
        "ALTER TABLE k.t WITH extensions = {'schema_advice': 0x6f6666};",
        Silence.statement("k.t", List.of("off")));
  }
}
