package io.helenus.server.modelling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptAdvisorTest {
  private static final String MESSAGES =
      "CREATE TABLE messages (room uuid, id timeuuid, author uuid, body text, seen boolean,"
          + " PRIMARY KEY (room, id)) WITH CLUSTERING ORDER BY (id DESC);";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "author = ? | author, id, room",
        "author = ? AND id > ? | author, id, room",
        "author = ? AND room = ? | (author, room), id",
        "author IN ? AND body = ? | (author, body), id, room",
        "author = ? AND body > ? ORDER BY body ASC | author, body, id, room",
        "author = ? ORDER BY body DESC, id ASC | author, body, id, room",
        "author = ? AND (id, room) < (?, ?) | author, id, room",
        "id = ? | id, room",
      })
  void theKeyIsEqualityThenRangesThenOrderThenWhatIdentifiesRows(String where, String key)
      throws ScriptException {
    Report.Proposal proposal =
        Advised.proposal(MESSAGES + " SELECT * FROM messages WHERE " + where + ";");
    assertEquals(key, Advised.key(proposal.definition()));
  }

  @Test
  void theOrderIsThatOfTheQueryOrElseOfTheTable() throws ScriptException {
    String select = " SELECT * FROM messages WHERE author = ?";
    assertTrue(
        Advised.proposal(MESSAGES + select + ";")
            .definition()
            .contains("CLUSTERING ORDER BY (id DESC, room ASC)"));
    assertFalse(
        Advised.proposal(MESSAGES + select + " ORDER BY id ASC;")
            .definition()
            .contains("CLUSTERING ORDER"));
  }

  @Test
  void onlyTheColumnsThatAreReadAreCopied() throws ScriptException {
    String definition =
        Advised.proposal(MESSAGES + " SELECT seen FROM messages WHERE author = ?;").definition();
    assertTrue(definition.contains("seen boolean"), definition);
    assertFalse(definition.contains("body"), definition);
  }

  @Test
  void oneTableServesWhatItCan() throws ScriptException {
    Report report =
        Advised.about(
            MESSAGES
                + " SELECT body FROM messages WHERE author = ? AND id = ?;"
                + " SELECT seen FROM messages WHERE author = ?;"
                + " SELECT id FROM messages WHERE author = ? ORDER BY id DESC;");
    assertEquals(1, report.proposals().size());
    assertEquals(3, report.proposals().getFirst().queries().size());
    assertTrue(report.proposals().getFirst().definition().contains("body text"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "body LIKE 'a%' | LIKE",
        "id > minTimeuuid(?) ALLOW FILTERING | no column is compared by =",
        "author != ? ALLOW FILTERING | !=",
        "author = ? AND id > ? ORDER BY body DESC | at once",
      })
  void whatNoKeyServesIsSaid(String where, String why) throws ScriptException {
    Verdict.Refused refused =
        Advised.refused(MESSAGES + " SELECT * FROM messages WHERE " + where + ";");
    assertEquals("", refused.proposal());
    assertTrue(refused.why().contains(why), refused.why());
  }

  @Test
  void theServersTextIsGiven() throws ScriptException {
    assertEquals(
        "Undefined column name nobody in table app.messages",
        Advised.refused(MESSAGES + " SELECT * FROM messages WHERE nobody = 1;").error());
    assertEquals(
        "Some partition key parts are missing: room",
        Advised.refused(MESSAGES + " DELETE FROM messages WHERE id = ?;").error());
    assertEquals(
        "table letters does not exist",
        Advised.refused(MESSAGES + " SELECT * FROM letters;").error());
  }

  @Test
  void anotherTableOfTheSameRowsIsNamed() throws ScriptException {
    String both =
        MESSAGES
            + " CREATE TABLE by_author (author uuid, id timeuuid, room uuid, body text, seen"
            + " boolean, PRIMARY KEY (author, id));"
            + " CREATE TABLE authors (author uuid PRIMARY KEY, body int);";
    Verdict.Refused refused =
        Advised.refused(both + " SELECT * FROM messages WHERE author = ? ALLOW FILTERING;");
    assertEquals(List.of("SELECT * FROM by_author WHERE author = ?"), refused.elsewhere());
    assertEquals("", refused.proposal());
  }

  @Test
  void whatCostsMoreThanAPartitionIsNoted() throws ScriptException {
    assertEquals(
        new Verdict.Served(List.of("reads every partition of the table")),
        Advised.verdict(MESSAGES + " SELECT * FROM messages;"));
    assertEquals(
        new Verdict.Served(List.of("by the index i, for which every node is asked")),
        Advised.verdict(
            MESSAGES
                + " CREATE INDEX i ON messages (author); SELECT * FROM messages WHERE author ="
                + " ?;"));
    assertEquals(
        new Verdict.Served(List.of("does not need ALLOW FILTERING")),
        Advised.verdict(MESSAGES + " SELECT * FROM messages WHERE room = ? ALLOW FILTERING;"));
  }

  @Test
  void aBucketIsProposedWhenAPartitionPassesALimitWithinAYear() throws ScriptException {
    String quiet = "-- rate: 60/day per room, rows of 100 bytes\n" + MESSAGES;
    String loud = "-- rate: 600/day per room, rows of 100 bytes\n" + MESSAGES;
    Report report = Advised.about(quiet);
    assertEquals("", report.tables().getFirst().divided());
    assertFalse(report.hasWarnings());
    report = Advised.about(loud);
    assertEquals("(room, month), id", Advised.key(report.tables().getFirst().divided()));
    assertEquals(
        List.of("large-partition"), report.findings().stream().map(Report.Finding::rule).toList());
  }

  @Test
  void aProposedTableIsDividedByItsOwnRate() throws ScriptException {
    String script =
        "-- rate: 1/day per room\n-- rate: 20k/day per author, rows of 90 bytes\n"
            + MESSAGES
            + " SELECT body FROM messages WHERE author = ? ORDER BY id DESC LIMIT 5;";
    Report.Proposal proposal = Advised.proposal(script);
    assertEquals("(author, day), id, room", Advised.key(proposal.definition()));
    PartitionSize size = proposal.size();
    assertNotNull(size);
    assertEquals(1, size.days());
    assertEquals(
        "SELECT body FROM messages_by_author WHERE author = ? AND day = ? ORDER BY id DESC LIMIT 5",
        Advised.refused(script).instead());
  }

  @Test
  void rowsWithoutATimeAreDividedByNumber() throws ScriptException {
    Report report =
        Advised.about(
            "-- rate: 1000/day per club\n"
                + "CREATE TABLE members (club uuid, person uuid, PRIMARY KEY (club, person));");
    assertEquals("(club, bucket), person", Advised.key(report.tables().getFirst().divided()));
    assertTrue(report.tables().getFirst().notes().getFirst().contains("modulo 4"));
  }

  @Test
  void expiryBucketsAndStatedBucketsEndGrowth() throws ScriptException {
    String rate = "-- rate: 1000/day per s, rows of 10 bytes\n";
    String table = "CREATE TABLE t (s uuid, %s at timestamp, v int, PRIMARY KEY ((s%s), at)) %s;";
    assertEquals(10, days(rate + table.formatted("", "", "WITH default_time_to_live = 864000")));
    assertEquals(1, days(rate + table.formatted("day date,", ", day", "")));
    assertEquals(3, days(rate + "-- bucket: w, 3 days\n" + table.formatted("w int,", ", w", "")));
    PartitionSize spread =
        Advised.about(rate + "-- bucket: w, 10 values\n" + table.formatted("w int,", ", w", ""))
            .tables()
            .getFirst()
            .size();
    assertNotNull(spread);
    assertEquals(100, spread.growth().rowsADay());
  }

  private static double days(String script) throws ScriptException {
    PartitionSize size = Advised.about(script).tables().getFirst().size();
    assertNotNull(size);
    return size.days();
  }

  @Test
  void aColumnOfWhichNothingIsStatedRaisesNothing() throws ScriptException {
    Report report =
        Advised.about(
            "-- rate: 5000/day per s\nCREATE TABLE t (s uuid, d text, at timestamp, v int,"
                + " PRIMARY KEY ((s, d), at));");
    PartitionSize size = report.tables().getFirst().size();
    assertNotNull(size);
    assertEquals(List.of("d"), size.dividing());
    assertFalse(report.hasWarnings());
  }

  @Test
  void aRateOfOtherColumnsSaysNothing() throws ScriptException {
    Report.Table table =
        Advised.about("-- rate: 5000/day per author\n" + MESSAGES).tables().getFirst();
    assertNull(table.size());
    assertEquals("no rate is stated per columns of its partition key", table.unsized());
  }

  @Test
  void mistakesNameTheirLine() {
    assertEquals(
        "schema.cql:2: cannot read '-- rate: 5 a fortnight'; it is written like '"
            + Rate.FORM
            + "'",
        mistake("-- rate: 5 a fortnight\nCREATE TABLE t (a int PRIMARY KEY);", ""));
    assertEquals(
        "schema.cql:2: a comment names b, which is no column of app.t",
        mistake("-- rate: 5/day per b\nCREATE TABLE t (a int PRIMARY KEY);", ""));
    assertEquals(
        "schema.cql:2: '-- rate: 5/day per a' is stated before a CREATE TABLE, not here",
        mistake("-- rate: 5/day per a\nSELECT * FROM t;", ""));
    assertEquals(
        "schema.cql:1: Unknown type app.number",
        mistake("CREATE TABLE t (a number PRIMARY KEY);", ""));
    assertTrue(
        mistake("CREATE TABLE t (a int PRIMARY KEY);", "\n\nSELEC")
            .startsWith("queries.cql:3: line 1:0 "));
  }

  private static String mistake(String schema, String queries) {
    ScriptException mistake =
        assertThrows(ScriptException.class, () -> Advised.about(schema, queries, null));
    return String.valueOf(mistake.getMessage());
  }

  @Test
  void keyspacesOfScriptsWithoutTheirDefinitionsExist() throws ScriptException {
    Report report =
        Advised.about(
            "CREATE TABLE shop.t (a int PRIMARY KEY); CREATE TABLE shop.u (a int PRIMARY KEY);",
            "SELECT * FROM t WHERE a = 1;",
            null);
    assertEquals("shop.t", report.queries().getFirst().table());
    report =
        Advised.about(
            "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 3,"
                + " 'us': 3}; CREATE TABLE k.t (a int PRIMARY KEY);");
    assertEquals("k.t", report.tables().getFirst().name());
  }

  @Test
  void droppedTablesAreNotJudged() throws ScriptException {
    Report report =
        Advised.about(MESSAGES + " CREATE TABLE t (a int PRIMARY KEY); DROP TABLE messages;");
    assertEquals(List.of("app.t"), report.tables().stream().map(Report.Table::name).toList());
  }

  @Test
  void statementsOfALogMayBeCut() throws ScriptException {
    String log = "Slow query <SELECT * FROM messages WHE...>, time 8 msec - slow timeout 5 msec";
    Report report = Advised.about(MESSAGES, null, log);
    assertInstanceOf(Verdict.Unread.class, report.queries().getFirst().verdict());
    assertFalse(report.hasWarnings());
  }

  @Test
  void aProposedTableMayReplaceItsTable() throws ScriptException {
    String tags = "CREATE TABLE tags (tag text, id uuid, at timestamp, PRIMARY KEY (tag, id));";
    String newest = " SELECT id FROM tags WHERE tag = ? ORDER BY at DESC;";
    String replaces = "it also serves what reads app.tags (schema.cql:1), and can replace it";
    assertTrue(
        Advised.proposal(tags + newest + " SELECT id FROM tags WHERE tag = ?;")
            .notes()
            .contains(replaces));
    assertFalse(
        Advised.proposal(tags + newest + " SELECT at FROM tags WHERE tag = ? AND id = ?;")
            .notes()
            .contains(replaces));
  }

  @Test
  void whatIdentifiesOneRowNeedsNoRate() throws ScriptException {
    assertEquals(
        List.of(), Advised.proposal(MESSAGES + " SELECT * FROM messages WHERE id = ?;").notes());
    assertEquals(
        1, Advised.proposal(MESSAGES + " SELECT * FROM messages WHERE author = ?;").notes().size());
  }

  @Test
  void rowsMoveWhenAStateInTheKeyChanges() throws ScriptException {
    assertTrue(
        Advised.proposal(MESSAGES + " SELECT * FROM messages WHERE room = ? AND seen = false;")
            .notes()
            .contains(
                "when seen of a row changes, delete the row and insert it anew: the column is part"
                    + " of the key"));
  }

  @Test
  void aKeyOfFewValuesIsDividedWithoutARate() throws ScriptException {
    String script =
        "CREATE TABLE jobs (id uuid PRIMARY KEY, status text, due timestamp);"
            + " SELECT id FROM jobs WHERE status = 'OPEN' ORDER BY due ASC;";
    assertEquals("(status, bucket), due, id", Advised.key(Advised.proposal(script).definition()));
    assertEquals(
        "SELECT id FROM jobs_by_status WHERE status = 'OPEN' AND bucket = 0 ORDER BY due ASC",
        Advised.refused(script).instead());
  }
}
