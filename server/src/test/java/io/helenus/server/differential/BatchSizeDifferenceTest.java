package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchSizeDifferenceTest {
  private static Script.Statement statement(String text) {
    return new Script.Statement(1, List.of(), List.of(text), List.of());
  }

  @Test
  void aBatchMayBeLargerIfItWritesATableTwice() {
    String twice = "BEGIN BATCH UPDATE t SET v = 1 WHERE p0 = 1; INSERT INTO ks.t (p0) VALUES (1)";
    String once = "BEGIN BATCH UPDATE t SET v = 1 WHERE p0 = 1; INSERT INTO t2 (p0) VALUES (1)";
    String warning =
        "> warning: Batch for [ks.t] is of size %d, exceeding specified threshold of 5";
    List<String> done = List.of("> done");
    List<String> small = List.of(warning.formatted(6000), "> done");
    List<String> large = List.of(warning.formatted(6001), "> done");
    assertTrue(new Difference(statement(twice), done, small).isAllowed());
    assertTrue(new Difference(statement(twice), small, large).isAllowed());
    assertFalse(new Difference(statement(twice), large, small).isAllowed());
    assertFalse(new Difference(statement(twice), small, done).isAllowed());
    assertFalse(new Difference(statement(once), small, large).isAllowed());
    assertFalse(
        new Difference(statement(twice), small, List.of(large.getFirst(), "! 2200")).isAllowed());
  }

  @Test
  void aBatchMayBeLargerOnlyIfTwoStatementsMayWriteOneRow() {
    String row = "INSERT INTO t (p0, c1, v) VALUES (1, 'a, b', [1, 2])";
    for (String other :
        List.of(
            "UPDATE t SET v = [] WHERE p0 = 1 AND c1 = 'a, b' AND c2 = 5;",
            "UPDATE t SET v = [] WHERE p0 = ? AND c1 = 'a, b'",
            "DELETE FROM t WHERE p0 IN (1, 2) AND c1 > 'b'",
            "DELETE v FROM ks.t USING TIMESTAMP 5 WHERE p0 = 1",
            "INSERT INTO t (c1, p0) VALUES ('a, b', 1) USING TTL 5",
            "INSERT INTO t (c1, p0) VALUES ('c', 1 + 1)",
            "INSERT INTO t JSON '{}'")) {
      boolean sure = other.contains("'c'");
      assertEquals(!sure, isMeasured("BEGIN BATCH " + row + " " + other + " APPLY BATCH"), other);
      assertEquals(!sure, isMeasured("BEGIN BATCH " + other + " " + row + " APPLY BATCH"), other);
    }
    for (String other :
        List.of(
            "UPDATE t SET v = [] WHERE p0 = 1 AND c1 = 'b' AND c2 = 5;",
            "UPDATE t SET v = [] WHERE p0 = 2 AND c1 = 'a, b'",
            "DELETE FROM t WHERE p0 = 2 AND c1 > 'b'",
            "INSERT INTO t2 (c1, p0) VALUES ('a, b', 1)",
            "INSERT INTO t (c1, p0) VALUES ('a, b', 2) USING TTL 5")) {
      assertFalse(isMeasured("BEGIN BATCH " + row + " " + other + " APPLY BATCH"), other);
    }
  }

  private static boolean isMeasured(String batch) {
    String warning =
        "> warning: Batch for [ks.t] is of size %d, exceeding specified threshold of 5";
    return new Difference(
            statement(batch),
            List.of(warning.formatted(6000), "> done"),
            List.of(warning.formatted(6001), "> done"))
        .isAllowed();
  }

  @Test
  void partitionsToWhichNothingIsWrittenMayNotBeCounted() {
    String batch = "BEGIN UNLOGGED BATCH UPDATE t SET s += {} WHERE p IN ?; APPLY BATCH";
    String warning =
        "> warning: Unlogged batch covering 16 partitions detected against table [ks.t]. Use";
    List<String> warned = List.of(warning, "> done");
    List<String> done = List.of("> done");
    assertTrue(new Difference(statement(batch), warned, done).isAllowed());
    assertFalse(new Difference(statement(batch), done, warned).isAllowed());
    List<String> fewer = List.of(warning.replace("16", "12"), "> done");
    assertTrue(new Difference(statement(batch), warned, fewer).isAllowed());
    Script.Statement writes = statement(batch.replace("{}", "{1}"));
    assertFalse(new Difference(writes, warned, done).isAllowed());
  }
}
