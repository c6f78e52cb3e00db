package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class DraftTest {
  private static final TableSchema TABLE =
      Tables.of(
          "CREATE TABLE \"T\" (a int, b int, \"C\" text, s int STATIC, l list<int>, v int, PRIMARY"
              + " KEY (a, b, \"C\")) WITH CLUSTERING ORDER BY (b DESC, \"C\" ASC) AND"
              + " default_time_to_live = 60 AND compaction = {'class': 'LeveledCompactionStrategy'}"
              + " AND comment = 'it''s'");

  private static final String OPTIONS =
      "default_time_to_live = 60 AND compaction = {'class': 'LeveledCompactionStrategy'};";

  private static void assertDraft(String expected, Draft draft) {
    String cql = draft.toCql();
    assertEquals(expected, cql);
    assertEquals(cql, Draft.of(Tables.of(cql)).toCql(), "what is created from it");
  }

  @Test
  void aTableIsItsOwnDraft() {
    assertDraft(
        "CREATE TABLE k.\"T\" (a int, b int, \"C\" text, s int static, l list<int>, v int, PRIMARY"
            + " KEY (a, b, \"C\")) WITH CLUSTERING ORDER BY (b DESC, \"C\" ASC) AND "
            + OPTIONS,
        Draft.of(TABLE));
  }

  @Test
  void theKeyIsChanged() {
    assertDraft(
        "CREATE TABLE k.\"T\" (a int, b int, \"C\" text, s int static, l list<int>, v int, PRIMARY"
            + " KEY ((a, b), \"C\")) WITH "
            + OPTIONS,
        Draft.of(TABLE).partitionedAlsoBy("b"));
    assertDraft(
        "CREATE TABLE k.\"T\" (a int, \"C\" text, b int, s int static, l list<int>, v int, PRIMARY"
            + " KEY (a, \"C\", b)) WITH CLUSTERING ORDER BY (\"C\" ASC, b DESC) AND "
            + OPTIONS,
        Draft.of(TABLE).clusteredBy(List.of("C", "b")));
    assertDraft(
        "CREATE TABLE k.\"T\" (s int, b int, \"C\" text, a int, l list<int>, v int, PRIMARY KEY (s,"
            + " b, \"C\", a)) WITH CLUSTERING ORDER BY (b DESC, \"C\" ASC, a ASC) AND "
            + OPTIONS,
        Draft.of(TABLE).partitionedAlsoBy("s").toClustering("a"));
    assertDraft(
        "CREATE TABLE k.\"T\" (a int, b int, \"C\" text, s int static, l list<int>, v int, PRIMARY"
            + " KEY (a, b, \"C\")) WITH CLUSTERING ORDER BY (b DESC, \"C\" DESC) AND "
            + OPTIONS,
        Draft.of(TABLE).descending("C", true));
  }

  @Test
  void columnsComeAndGo() {
    assertDraft(
        "CREATE TABLE k.u (a int, day date, b int, s int static, v int, PRIMARY KEY ((a, day), b))"
            + " WITH CLUSTERING ORDER BY (b DESC) AND "
            + OPTIONS,
        Draft.of(TABLE)
            .named("u")
            .without("C")
            .without("l")
            .partitionedAlsoByNew("day", "date")
            .with("v", "text"));
  }

  @Test
  void aNewColumnHasANameOfItsOwn() {
    assertEquals(
        "CREATE TABLE k.t (a int, row_row_id uuid, id text, row_id int, PRIMARY KEY (a,"
            + " row_row_id));",
        Draft.of(Tables.of("CREATE TABLE t (a int PRIMARY KEY, id text, row_id int)"))
            .clusteredAlsoByNew("id", "uuid")
            .toCql());
  }

  @Test
  void anOptionReplacesThatOfTheTable() {
    assertEquals(
        "CREATE TABLE k.t (a int, PRIMARY KEY (a)) WITH default_time_to_live = 5;",
        Draft.of(Tables.of("CREATE TABLE t (a int PRIMARY KEY) WITH default_time_to_live = 60"))
            .option("default_time_to_live", "5")
            .toCql());
  }
}
