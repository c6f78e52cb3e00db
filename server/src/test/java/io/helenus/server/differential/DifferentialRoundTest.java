package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class DifferentialRoundTest {
  private static final List<String> DONE = List.of("> done");

  private final List<Difference> differences = new ArrayList<>();
  private final List<List<String>> ends = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();

  private final DifferentialRound.Listener listener =
      new DifferentialRound.Listener() {
        @Override
        public void onDifference(Difference difference, boolean deliberate) {
          differences.add(difference);
        }

        @Override
        public void onEnd(Script.Statement last, List<String> answer) {
          ends.add(answer);
        }
      };

  private static boolean isCheckOfTruncate(Script.Statement statement) {
    return statement.text().matches("SELECT \\* FROM \\S+ LIMIT 1");
  }

  /** Two servers that accept everything, and give other answers to the statement of a number. */
  private DifferentialRound round(int number, List<String> expected, List<String> actual) {
    return new DifferentialRound(
        1,
        statement -> {
          if (isCheckOfTruncate(statement)) {
            return new ServerPair.Answers(DONE, DONE);
          }
          asked.add(statement.text());
          return asked.size() == number
              ? new ServerPair.Answers(expected, actual)
              : new ServerPair.Answers(DONE, DONE);
        },
        listener);
  }

  @Test
  void aSilentReferenceEndsTheRoundAndIsNoDifference() throws IOException {
    String timeout = "! no answer: java.io.UncheckedIOException: java.net.SocketTimeoutException";
    String truncate = "! 1003 Truncate failed on replica /127.0.0.1:7000 -> UNKNOWN";
    String write = "! 1100 Operation timed out - received only 0 responses.";
    for (String answer : List.of(timeout, truncate, write)) {
      asked.clear();
      ends.clear();
      DifferentialRound round = round(20, List.of("> with 1", answer), DONE);
      round.run(100);
      assertEquals(20, round.sent().size());
      assertEquals(List.of(List.of("> with 1", answer)), ends);
      assertTrue(asked.getLast().startsWith("DROP KEYSPACE"), asked.getLast());
      assertEquals(22, asked.size());
    }
    assertEquals(List.of(), differences);
  }

  @Test
  void aFailedBatchEndsTheRoundAsItMayBeHalfDone() throws IOException {
    List<String> failed = List.of("! 1500 Operation failed - received 0 responses");
    for (int number = 20; ; number++) {
      asked.clear();
      ends.clear();
      DifferentialRound round = round(number, failed, failed);
      round.run(number + 50);
      String text = asked.get(number - 1).stripLeading().toUpperCase(Locale.ROOT);
      boolean batch = text.startsWith("BEGIN") || text.startsWith("BATCH");
      assertEquals(batch ? List.of(failed) : List.of(), ends, text);
      if (batch) {
        assertEquals(number, round.sent().size());
        return;
      }
    }
  }

  @Test
  void rowsAfterATruncateEndTheRound() throws IOException {
    List<String> rows = List.of("> ks.t: a int", "> 1");
    DifferentialRound round =
        new DifferentialRound(
            1,
            statement -> {
              asked.add(statement.text());
              return isCheckOfTruncate(statement)
                  ? new ServerPair.Answers(rows, rows)
                  : new ServerPair.Answers(DONE, DONE);
            },
            listener);
    round.run(10_000);
    assertEquals(List.of(DONE), ends);
    assertTrue(round.sent().getLast().text().startsWith("TRUNCATE"));
  }

  @Test
  void nothingIsSentAfterTheStatementThatEndsARound() throws IOException {
    List<String> silent = List.of("! no answer: java.io.UncheckedIOException: timed out");
    for (int number = 20; number < 400; number++) {
      asked.clear();
      DifferentialRound round = round(number, silent, DONE);
      round.run(400);
      assertEquals(number, round.sent().size(), asked.get(number - 1));
    }
  }

  @Test
  void aSilentSubjectIsADifferenceAndEndsTheRound() throws IOException {
    List<String> silent = List.of("! no answer: java.io.UncheckedIOException: timed out");
    DifferentialRound round = round(20, DONE, silent);
    round.run(100);
    assertEquals(20, round.sent().size());
    assertEquals(silent, differences.getFirst().subject());
    assertEquals(List.of(), ends);
  }

  @Test
  void anotherFailureDoesNotEndTheRound() throws IOException {
    List<String> unprepared = List.of("! no answer: java.io.IOException: not prepared: no");
    assertFalse(DifferentialRound.isLost(unprepared));
    DifferentialRound round = round(20, unprepared, unprepared);
    round.run(100);
    assertTrue(round.sent().size() >= 100);
    assertEquals(List.of(), ends);
  }

  @Test
  void rowsThatDifferEmptyTheTables() throws IOException {
    for (int number = 10; ; number++) {
      asked.clear();
      round(number, List.of("> h", "> 1"), List.of("> h", "> 2")).run(number);
      String text = asked.get(number - 1).stripLeading().toLowerCase(Locale.ROOT);
      if (text.startsWith("select") && !text.contains("system")) {
        break;
      }
    }
    assertTrue(asked.stream().anyMatch(each -> each.startsWith("TRUNCATE")), asked.toString());
  }

  @Test
  void executionsThatOnlyOneServerRefusedAreNoRefusals() {
    List<String> refused = List.of("! 2200 no");
    List<String> second = List.of("> with 1", "> done", "> with 2", "! 2200 no");
    assertFalse(new ServerPair.Answers(refused, second).differInRefusals());
    assertTrue(new ServerPair.Answers(refused, List.of("! 2200 other")).differInRefusals());
    List<String> first = List.of("> with 1", "! 2200 no", "> with 2", "! 2200 no");
    assertFalse(new ServerPair.Answers(first, second).differInRefusals());
  }

  @Test
  void answersWithRowsAreRecognized() {
    Script.Statement select =
        new Script.Statement(1, List.of(), List.of("SELECT a FROM t"), List.of());
    List<String> head = List.of("> prepared nothing", "> returns x", "> with 1", "> t: a int");
    assertFalse(DifferentialRound.showsRows(select, head));
    assertFalse(
        DifferentialRound.showsRows(
            select, List.of("> t: a int", "> warning: w", "> -- page --", "> t: a int")));
    List<String> row = new ArrayList<>(head);
    row.add("> 1");
    assertTrue(DifferentialRound.showsRows(select, row));
    row.add("! 2200 no");
    assertFalse(DifferentialRound.showsRows(select, row));
    Script.Statement update = new Script.Statement(1, List.of(), List.of("UPDATE t"), List.of());
    assertFalse(DifferentialRound.showsRows(update, List.of("> [applied] boolean", "> true")));
  }
}
