package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.node.NodeRig;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replay of logged batches that did not complete, on a real node with simulated time. */
class BatchLogReplayTest {
  private static final int GC_GRACE_SECONDS = 3600;

  /** Longer than twice the write timeout plus the replay interval. */
  private static final int REPLAYED_SECONDS = 20;

  private static final String BATCH =
      "BEGIN BATCH USING TIMESTAMP 1000 INSERT INTO k.a (k, v) VALUES (1, 10); INSERT INTO k.b (k,"
          + " v) VALUES (2, 20); APPLY BATCH";

  private final NodeRig node = new NodeRig();
  private int tableB;

  @BeforeEach
  void makeTables() {
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    node.run("CREATE TABLE k.a (k int PRIMARY KEY, v int)");
    node.run(
        "CREATE TABLE k.b (k int PRIMARY KEY, v int) WITH gc_grace_seconds = " + GC_GRACE_SECONDS);
    tableB = node.tableId(1);
  }

  private void batchWithRefusedPart(String batch) {
    node.faults.refusedTable = tableB;
    assertEquals("try again later", node.failure(batch));
    assertEquals(1, node.batchLogEntries().size());
  }

  private List<String> rowsOfB() {
    return node.rows("SELECT k, v, WRITETIME(v) FROM k.b");
  }

  @Test
  void aRefusedPartIsReplayedWithoutRestart() {
    batchWithRefusedPart(BATCH);
    node.runForSeconds(1);
    assertEquals(List.of("1,10"), node.rows("SELECT k, v FROM k.a"));
    assertEquals(List.of(), rowsOfB());
    node.faults.refusedTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void batchesInProgressAreNotReplayed() {
    node.faults.heldTable = tableB;
    String failure = node.failure(BATCH);
    assertTrue(failure.contains("timed out"), failure);
    int applied = node.faults.applied;
    node.runForSeconds(1);
    assertEquals(applied, node.faults.applied);
    node.faults.heldTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void aBatchCompletedAfterItsTimeoutIsRemoved() {
    node.faults.heldTable = tableB;
    String failure = node.failure(BATCH);
    assertTrue(failure.contains("timed out"), failure);
    int applied = node.faults.applied;
    node.faults.heldTable = 0;
    node.applyHeld();
    node.runForSeconds(1);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(applied, node.faults.applied);
  }

  @Test
  void anEntryIsKeptIfAPartIsRefusedAtReplay() {
    batchWithRefusedPart(BATCH);
    node.killAndRestart(5);
    node.runForSeconds(2 * REPLAYED_SECONDS);
    assertEquals(List.of(), rowsOfB());
    assertEquals(1, node.batchLogEntries().size());
    node.faults.refusedTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void startupReplaysUnfinishedBatches() {
    batchWithRefusedPart(BATCH);
    node.faults.refusedTable = 0;
    node.killAndRestart(1);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void aLargeBacklogIsReplayedInSeveralRounds() {
    int batches = 2500;
    node.faults.refusedTable = tableB;
    for (int i = 0; i < batches; i++) {
      node.failure(
          "BEGIN BATCH INSERT INTO k.a (k, v) VALUES ("
              + i
              + ", 1); INSERT INTO k.b (k, v) VALUES ("
              + (i + batches)
              + ", 2); APPLY BATCH");
    }
    node.faults.refusedTable = 0;
    node.killAndRestart(1);
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(batches, rowsOfB().size());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void batchesOlderThanTheSmallestGracePeriodAreNotReplayed() {
    batchWithRefusedPart(BATCH);
    node.run("DELETE FROM k.a USING TIMESTAMP 2000 WHERE k = 1");
    node.faults.refusedTable = 0;
    node.killAndRestart(GC_GRACE_SECONDS);
    assertEquals(List.of(), rowsOfB());
    assertEquals(List.of(), node.rows("SELECT k FROM k.a"));
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void batchesWithinTheGracePeriodAreReplayed() {
    batchWithRefusedPart(BATCH);
    node.faults.refusedTable = 0;
    node.killAndRestart(GC_GRACE_SECONDS - 60);
    assertEquals(List.of("2,20,1000"), rowsOfB());
  }

  @Test
  void nothingIsReplayedOverATruncation() {
    batchWithRefusedPart(BATCH);
    node.run("INSERT INTO k.a (k, v) VALUES (5, 50)");
    node.run("TRUNCATE k.a");
    node.faults.refusedTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of(), node.rows("SELECT k FROM k.a"));
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void nothingIsReplayedOverATruncationOfAnEmptyTable() {
    batchWithRefusedPart(BATCH);
    node.run("TRUNCATE k.b");
    node.faults.refusedTable = 0;
    node.killAndRestart(1);
    assertEquals(List.of(), rowsOfB());
    assertEquals(List.of("1,10"), node.rows("SELECT k, v FROM k.a"));
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void onlyTheTruncatedTableOfAPartIsSkipped() {
    batchWithRefusedPart(
        "BEGIN BATCH INSERT INTO k.a (k, v) VALUES (2, 10); INSERT INTO k.b (k, v) VALUES (2, 20);"
            + " INSERT INTO k.b (k, v) VALUES (3, 30); APPLY BATCH");
    node.run("TRUNCATE k.b");
    node.faults.refusedTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,10"), node.rows("SELECT k, v FROM k.a"));
    assertEquals(List.of(), rowsOfB());
  }

  @Test
  void aDroppedTableIsSkipped() {
    batchWithRefusedPart(
        "BEGIN BATCH INSERT INTO k.a (k, v) VALUES (2, 10); INSERT INTO k.b (k, v) VALUES (2, 20);"
            + " INSERT INTO k.b (k, v) VALUES (3, 30); APPLY BATCH");
    node.run("DROP TABLE k.b");
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,10"), node.rows("SELECT k, v FROM k.a"));
    assertEquals(0, node.batchLogEntries().size());
  }

  @Test
  void replayedValuesKeepTheirExpiryTime() {
    batchWithRefusedPart(
        "BEGIN BATCH INSERT INTO k.a (k, v) VALUES (1, 10); INSERT INTO k.b (k, v) VALUES (2, 20)"
            + " USING TTL 100; APPLY BATCH");
    node.runForSeconds(60);
    node.faults.refusedTable = 0;
    node.runForSeconds(REPLAYED_SECONDS);
    int left = Integer.parseInt(node.rows("SELECT TTL(v) FROM k.b").getFirst());
    assertTrue(left > 0 && left <= 100 - 60 - REPLAYED_SECONDS, () -> left + " s left");
    node.runForSeconds(left + 1);
    assertEquals(List.of(), rowsOfB());
  }

  @Test
  void anEntryOfAnUnknownVersionIsKept() {
    ByteWriter entry = new ByteWriter(64).putByte(77).putLong(0).putInt(5);
    ByteWriter key = new ByteWriter(64);
    KeyFormat.putPartition(
        Long.MIN_VALUE + 1, new ByteWriter(16).putLong(1).putLong(2).segment(), 0, 16, key);
    ByteWriter suffix =
        new ByteWriter(16).putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    ByteWriter mutation = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(Long.MIN_VALUE + 1, 0, key.segment(), 0, key.size()).beginTable(BatchLog.TABLE_ID);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(1);
    writer.cell(BatchLog.COLUMN_ID, 1, entry.segment(), 0, entry.size()).endRow();
    writer.endTable().finish();
    node.apply(mutation);
    batchWithRefusedPartBeside(entry.toArray());
    node.faults.refusedTable = 0;
    node.killAndRestart(1);
    node.runForSeconds(REPLAYED_SECONDS);
    assertEquals(List.of("2,20,1000"), rowsOfB());
    assertEquals(1, node.batchLogEntries().size());
    assertArrayEquals(entry.toArray(), node.batchLogEntries().getFirst());
  }

  private void batchWithRefusedPartBeside(byte[] entry) {
    assertEquals(1, node.batchLogEntries().size());
    assertArrayEquals(entry, node.batchLogEntries().getFirst());
    node.faults.refusedTable = tableB;
    node.failure(BATCH);
    assertEquals(2, node.batchLogEntries().size());
  }
}
