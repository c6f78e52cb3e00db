package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import io.helenus.server.viewbuild.ViewVerification;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Materialized views are compared with their table and repaired, after writes that were
 * acknowledged and lost: those of the views, or those of the table. Rows of the table and of the
 * views have partitions with different keys, since what is in one is lost together.
 */
class ViewVerificationTest {
  private static final int BASE = 100;
  private static final int MOVING = 101;
  private static final int MIRROR = 102;
  private static final int NUMBERED = 103;
  private static final String COLUMNS = "p, c, v, d, w, s, writetime(w), ttl(w)";

  private final NodeRig rig =
      new NodeRig(settings -> settings.with(Setting.MATERIALIZED_VIEWS_ENABLED, "true"));

  @BeforeEach
  void define() {
    rig.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    rig.run(
        "CREATE TABLE ks.t (p int, c int, v int, d decimal, w text, s set<int>, hidden int,"
            + " PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)");
    view("moving", "(v), p, c", "v");
    view("mirror", "(c), p", "p");
    view("numbered", "(c, p), d", "d");
    rig.runForSeconds(2);
  }

  private void view(String name, String key, String own) {
    rig.run(
        "CREATE MATERIALIZED VIEW ks."
            + name
            + " AS SELECT p, c, v, d, w, s FROM ks.t WHERE p IS NOT NULL AND c IS NOT NULL"
            + (own.equals("p") ? "" : " AND " + own + " IS NOT NULL")
            + " PRIMARY KEY ("
            + key
            + ")");
  }

  private void insert(int p, int c, int v, int at) {
    rig.run(
        "INSERT INTO ks.t (p, c, v, d, w, s) VALUES (%d, %d, %d, %d.0, 'w%d', {1, %d}) USING TIMESTAMP %d"
            .formatted(p, c, v, v, v, v, at));
  }

  /** Five rows, and the views with them. */
  private void fill() {
    for (int c = 0; c < 5; c++) {
      insert(91, c, 10 + c, 100);
    }
    for (int view = MOVING; view <= NUMBERED; view++) {
      assertCounts(verify(view, false), 0, 0, 0, 0);
    }
  }

  private ViewVerification.Report verify(int view, boolean repairs) {
    return rig.verifyView(BASE, view, repairs);
  }

  private static void assertCounts(
      ViewVerification.Report report, int missing, int wrong, int superfluous, int unrepaired) {
    ViewVerification.Counts counts = report.counts();
    assertEquals(
        new ViewVerification.Counts(
            counts.baseRows(), counts.viewRows(), missing, wrong, superfluous, unrepaired),
        counts);
    assertEquals(missing, report.missing().count());
    assertEquals(wrong, report.wrong().count());
    assertEquals(superfluous, report.superfluous().count());
  }

  private List<String> rows(String table) {
    List<String> rows = new ArrayList<>(rig.rows("SELECT " + COLUMNS + " FROM ks." + table));
    Collections.sort(rows);
    return rows;
  }

  private void assertEqualRows() {
    for (String view : List.of("moving", "mirror", "numbered")) {
      assertEquals(rows("t"), rows(view), view);
    }
  }

  /** A repair repairs what a verification before it has found, and one after it finds nothing. */
  private void assertMended(int view, int missing, int wrong, int superfluous) {
    assertCounts(verify(view, false), missing, wrong, superfluous, 0);
    assertCounts(verify(view, true), missing, wrong, superfluous, 0);
    assertCounts(verify(view, false), 0, 0, 0, 0);
  }

  @Test
  void changesOfViewsThatWereLostAreMade() {
    fill();
    for (int view = MOVING; view <= NUMBERED; view++) {
      rig.faults.lostTable = view;
      int at = 100 * view;
      insert(92, view, 7, at);
      rig.run(
          "UPDATE ks.t USING TIMESTAMP " + at + " SET w = 'x', s = s - {1} WHERE p = 91 AND c = 1");
      rig.run("UPDATE ks.t USING TIMESTAMP " + at + " SET v = 8, d = 8.00 WHERE p = 91 AND c = 2");
      rig.run("DELETE FROM ks.t USING TIMESTAMP " + at + " WHERE p = 91 AND c = 3");
      rig.run("DELETE w FROM ks.t USING TIMESTAMP " + at + " WHERE p = 91 AND c = 4");
      rig.faults.lostTable = 0;
      if (view == MIRROR) {
        assertMended(view, 1, 3, 1);
      } else {
        assertMended(view, 2, 2, 2);
      }
      insert(91, 3, 13, at + 1);
      rig.run("UPDATE ks.t USING TIMESTAMP " + (at + 1) + " SET w = 'y' WHERE p = 91 AND c = 4");
      rig.run(
          "UPDATE ks.t USING TIMESTAMP "
              + (at + 1)
              + " SET v = 12, d = 12.0 WHERE p = 91 AND c = 2");
      for (int each = MOVING; each <= NUMBERED; each++) {
        assertCounts(verify(each, false), 0, 0, 0, 0);
      }
    }
    assertEqualRows();
  }

  @Test
  void theKeysOfDifferencesAreThoseOfTheView() {
    fill();
    rig.faults.lostTable = MOVING;
    rig.run("UPDATE ks.t SET v = 8 WHERE p = 91 AND c = 2");
    rig.run("UPDATE ks.t SET w = 'x' WHERE p = 91 AND c = 1");
    rig.faults.lostTable = 0;
    ViewVerification.Report report = verify(MOVING, false);
    assertEquals(5, report.counts().baseRows());
    assertEquals(5, report.counts().viewRows());
    assertEquals(List.of("v = 8 AND p = 91 AND c = 2"), report.missing().keys());
    assertEquals(List.of("v = 11 AND p = 91 AND c = 1"), report.wrong().keys());
    assertEquals(List.of("v = 12 AND p = 91 AND c = 2"), report.superfluous().keys());
  }

  @Test
  void rowsOfWhichTheTableKnowsNothingAreDeleted() {
    fill();
    rig.faults.lostTable = BASE;
    insert(93, 1, 20, 500);
    rig.run("UPDATE ks.t USING TIMESTAMP 500 SET v = 20, d = 3, w = 'a' WHERE p = 93 AND c = 2");
    rig.faults.lostTable = 0;
    assertMended(MOVING, 0, 0, 2);
    assertMended(MIRROR, 0, 0, 2);
    assertMended(NUMBERED, 0, 0, 2);
    assertEqualRows();
    insert(93, 1, 20, 501);
    assertEqualRows();
  }

  /** A repair must not give data of the table timestamps that it does not have. */
  @Test
  void whatNoWriteCanMendIsReported() {
    fill();
    List<String> before = rows("t");
    rig.faults.lostTable = BASE;
    rig.run("UPDATE ks.t USING TIMESTAMP 500 SET w = 'newer' WHERE p = 91 AND c = 1");
    rig.run("DELETE FROM ks.t USING TIMESTAMP 500 WHERE p = 91 AND c = 2");
    rig.faults.lostTable = 0;
    assertCounts(verify(MIRROR, false), 1, 1, 0, 0);
    assertCounts(verify(MIRROR, true), 1, 1, 0, 2);
    assertCounts(verify(MOVING, true), 1, 1, 0, 2);
    assertEquals(before, rows("t"));
    insert(91, 2, 12, 501);
    assertCounts(verify(MIRROR, true), 0, 1, 0, 1);
    rig.run("UPDATE ks.t USING TIMESTAMP 501 SET w = 'newest' WHERE p = 91 AND c = 1");
    assertCounts(verify(MIRROR, true), 0, 0, 0, 0);
    assertCounts(verify(MOVING, true), 0, 0, 0, 0);
    assertEqualRows();
  }

  /** The liveness can only be deleted together with the cells of which some are older. */
  @Test
  void aRowIsNotDeletedForALivenessThatItHasNot() {
    rig.run("UPDATE ks.t USING TIMESTAMP 100 SET w = 'w' WHERE p = 91 AND c = 1");
    rig.faults.lostTable = BASE;
    rig.run("INSERT INTO ks.t (p, c) VALUES (91, 1) USING TIMESTAMP 200");
    rig.faults.lostTable = 0;
    assertCounts(verify(MIRROR, true), 0, 1, 0, 1);
    assertEquals(rows("t"), rows("mirror"));
    rig.run("UPDATE ks.t USING TIMESTAMP 300 SET w = 'v' WHERE p = 91 AND c = 1");
    assertCounts(verify(MIRROR, true), 0, 1, 0, 0);
    rig.run("DELETE w FROM ks.t USING TIMESTAMP 400 WHERE p = 91 AND c = 1");
    assertEquals(List.of(), rows("mirror"));
  }

  @Test
  void rowsExpireInARepairedView() {
    rig.faults.lostTable = MOVING;
    rig.run("INSERT INTO ks.t (p, c, v, d, w) VALUES (91, 1, 31, 1, 'a') USING TTL 100");
    rig.run("UPDATE ks.t SET v = 32, d = 2 WHERE p = 91 AND c = 2");
    rig.run("UPDATE ks.t USING TTL 100 SET w = 'b' WHERE p = 91 AND c = 2");
    rig.faults.lostTable = 0;
    assertMended(MOVING, 2, 0, 0);
    assertEqualRows();
    rig.runForSeconds(101);
    assertEquals(1, rows("moving").size());
    assertCounts(verify(MOVING, false), 0, 0, 0, 0);
    assertEqualRows();
  }

  /** A write that is older than a deletion which only the table has purged. */
  @Test
  void whatAnOldTombstoneHidesIsMendedAfterACompaction() {
    rig.run("ALTER TABLE ks.t WITH gc_grace_seconds = 5");
    rig.run("ALTER MATERIALIZED VIEW ks.mirror WITH gc_grace_seconds = 5");
    insert(91, 1, 11, 100);
    rig.run("DELETE w FROM ks.t USING TIMESTAMP 200 WHERE p = 91 AND c = 1");
    rig.runForSeconds(10);
    rig.compact(BASE);
    rig.run("UPDATE ks.t USING TIMESTAMP 90 SET w = 'old' WHERE p = 91 AND c = 1");
    assertCounts(verify(MIRROR, true), 0, 1, 0, 1);
    rig.compact(MIRROR);
    assertMended(MIRROR, 0, 1, 0);
    assertEquals(rows("t"), rows("mirror"));
  }

  /** More rows than one step of a base partition, and one page of a view's partition, can have. */
  @Test
  void largePartitionsAreGoneThroughPieceByPiece() {
    int rows = 600;
    for (int c = 0; c < rows; c++) {
      insert(91, c, 5, 100);
    }
    rig.faults.lostTable = MOVING;
    for (int c = 0; c < rows; c += 10) {
      rig.run("DELETE FROM ks.t WHERE p = 91 AND c = " + c);
      insert(92, c, 5, 100);
    }
    rig.faults.lostTable = 0;
    ViewVerification.Report report = verify(MOVING, true);
    assertCounts(report, rows / 10, 0, rows / 10, 0);
    assertEquals(rows, report.counts().baseRows());
    assertEquals(rows + rows / 10, report.counts().viewRows());
    assertEquals(5, report.missing().keys().size());
    assertEquals(5, report.superfluous().keys().size());
    assertCounts(verify(MOVING, false), 0, 0, 0, 0);
    assertEqualRows();
  }

  /** The simulation lets a part of the verification happen with each statement. */
  @Test
  void writesInTheMeantimeAreNoDifferences() {
    for (int i = 0; i < 100; i++) {
      insert(i % 7, i % 13, i, 100 + i);
    }
    boolean[] ended = new boolean[1];
    ViewVerification verification =
        rig.startVerification(
            BASE,
            MOVING,
            true,
            failure -> {
              assertNull(failure);
              ended[0] = true;
            });
    int during = 0;
    for (int i = 0; !ended[0]; i++) {
      during += verification.counts().baseRows() > 0 ? 1 : 0;
      insert(i % 7, i % 13, i, 1000 + i);
      rig.run(
          "DELETE FROM ks.t USING TIMESTAMP %d WHERE p = 3 AND c = %d".formatted(1000 + i, i % 13));
    }
    assertNotEquals(0, during);
    assertCounts(verification.report(), 0, 0, 0, 0);
    assertTrue(verification.report().counts().viewRows() > 0);
    assertEqualRows();
  }

  @Test
  void aVerificationCanBeStoppedAndAViewDropped() {
    fill();
    List<String> failures = new ArrayList<>();
    ViewVerification stopped =
        rig.startVerification(
            BASE, MOVING, false, failure -> failures.add("stopped: " + (failure == null)));
    stopped.stop();
    rig.runForSeconds(1);
    assertEquals(List.of("stopped: true"), failures);
    assertEquals(0, stopped.counts().baseRows());
    ViewVerification dropped =
        rig.startVerification(BASE, MOVING, false, failure -> failures.add(failure.getMessage()));
    rig.run("DROP MATERIALIZED VIEW ks.moving");
    rig.runForSeconds(1);
    assertEquals(2, failures.size());
    assertTrue(dropped.counts().viewRows() <= 5);
  }
}
