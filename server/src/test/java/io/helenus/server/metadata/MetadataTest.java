package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MetadataTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  @Test
  void storageKnowsANewTableBeforeItIsVisibleAndAcknowledged() {
    MetadataFixture node = new MetadataFixture(1).open().withKeyspace();
    node.events.clear();
    List<String> answers = new ArrayList<>();
    node.begin("CREATE TABLE t (k int PRIMARY KEY)", answers);
    node.world.runUntil(() -> !node.events.isEmpty());
    assertEquals(List.of("storage 100"), node.events);
    assertNull(node.state().schema().table("ks", "t"));
    node.world.runUntil(() -> !answers.isEmpty());
    assertEquals(List.of("storage 100", "visible CREATED ks.t"), node.events);
    assertNotNull(node.state().schema().table("ks", "t"));
  }

  @Test
  void anErrorInPlanningFailsOnlyThatChange() {
    MetadataFixture node = new MetadataFixture(1).open().withKeyspace();
    for (Error error : List.of(new StackOverflowError(), new AssertionError("broken"))) {
      node.planningError = error;
      assertEquals(error.toString(), node.change("CREATE TABLE t (k int PRIMARY KEY)"));
      node.planningError = null;
    }
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
    assertEquals(List.of(), node.halts);
  }

  @Test
  void aDroppedTableIsHiddenBeforeStorageForgetsIt() {
    MetadataFixture node = new MetadataFixture(2).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
    node.events.clear();
    assertEquals("DROPPED ks.t", node.change("DROP TABLE t"));
    assertEquals(List.of("visible DROPPED ks.t", "storage"), node.events);
  }

  @Test
  void aDroppedKeyspaceIsPublishedTableByTable() {
    MetadataFixture node = new MetadataFixture(3).open().withKeyspace();
    assertEquals("CREATED ks.a", node.change("CREATE TABLE a (k int PRIMARY KEY)"));
    assertEquals("CREATED ks.b", node.change("CREATE TABLE b (k int PRIMARY KEY)"));
    node.events.clear();
    assertEquals("DROPPED ks", node.change("DROP KEYSPACE ks"));
    assertEquals(
        List.of("visible DROPPED ks.a", "visible DROPPED ks.b", "visible DROPPED ks", "storage"),
        node.events);
  }

  @Test
  void concurrentStatementsAreValidatedInSequence() throws Exception {
    seeds.each(
        50,
        seed -> {
          MetadataFixture node = new MetadataFixture(seed).open().withKeyspace();
          List<String> answers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            node.begin("CREATE TABLE t (k int PRIMARY KEY)", answers);
            node.begin("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY)", answers);
          }
          node.begin("DROP TABLE t", answers);
          node.begin("DROP TABLE t", answers);
          node.world.runUntil(() -> answers.size() == 8);
          String exists = "Cannot add already existing table \"t\" to keyspace \"ks\"";
          assertEquals(
              List.of(
                  "CREATED ks.t",
                  "nothing to do",
                  exists,
                  "nothing to do",
                  exists,
                  "nothing to do",
                  "DROPPED ks.t",
                  "Table 'ks.t' doesn't exist"),
              answers,
              "seed " + seed);
        });
  }

  @Test
  void storageIdsAreNeverReused() {
    MetadataFixture node = new MetadataFixture(4).open().withKeyspace();
    for (int i = 0; i < 5; i++) {
      assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
      TableSchema table = Objects.requireNonNull(node.state().schema().table("ks", "t"));
      assertEquals(100 + i, table.storageId());
      assertEquals(1, table.id().version());
      assertEquals("DROPPED ks.t", node.change("DROP TABLE t"));
      node.kill();
      node.open();
    }
    assertEquals(104, node.state().lastTableId());
  }

  @Test
  void aReaddedColumnKeepsItsIdAndDropTime() {
    MetadataFixture node = new MetadataFixture(5).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY, v int)"));
    int id = column(node, "v");
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t DROP v USING TIMESTAMP 77"));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t ADD w int"));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t ADD v int"));
    assertEquals(id, column(node, "v"));
    TableSchema table = Objects.requireNonNull(node.state().schema().table("ks", "t"));
    assertTrue(
        table.descriptor().columns().stream()
            .anyMatch(each -> each.id() == id && each.droppedAtMicros() == 77));
    assertEquals(table.columns().size() - 1, table.descriptor().columns().size());
  }

  private static int column(MetadataFixture node, String name) {
    TableSchema table = Objects.requireNonNull(node.state().schema().table("ks", "t"));
    return Objects.requireNonNull(table.column(name)).id();
  }

  @Test
  void aRejectedStatementChangesNothing() {
    MetadataFixture node = new MetadataFixture(6).open().withKeyspace();
    ClusterState before = node.state();
    assertEquals(
        "gc_grace_seconds must be greater than or equal to 0 (got -1)",
        node.change("CREATE TABLE t (k int PRIMARY KEY) WITH gc_grace_seconds = -1"));
    assertEquals(before, node.state());
    assertEquals("nothing to do", node.change("DROP TABLE IF EXISTS t"));
    assertEquals(before, node.state());
  }

  @Test
  void anAlterWithoutEffectIsNotAChange() {
    MetadataFixture node = new MetadataFixture(7).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t WITH gc_grace_seconds = 1"));
    assertEquals("nothing to do", node.change("ALTER TABLE t WITH gc_grace_seconds = 1"));
  }

  @Test
  void anOutcomeIsSettledBeforeTheStatementIsAnswered() {
    MetadataFixture node = new MetadataFixture(8).open().withKeyspace();
    AtomicInteger failures = new AtomicInteger(1);
    failSyncs(node, failures);
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
    assertEquals(3, node.state().index());
  }

  @Test
  void anUnknownOutcomeIsReportedAndSettledBeforeTheNextChange() {
    MetadataFixture node = new MetadataFixture(9).open().withKeyspace();
    AtomicInteger failures = new AtomicInteger(3);
    failSyncs(node, failures);
    List<String> answers = new ArrayList<>();
    String create = "CREATE TABLE t (k int PRIMARY KEY)";
    node.begin(create, answers);
    node.begin(create, answers);
    node.begin(create, answers);
    node.begin("DROP TABLE t", answers);
    node.world.runUntil(() -> answers.size() == 4);
    assertEquals(
        List.of(
            "The outcome of the change is unknown; it may or may not take effect: no sync",
            "The change was not made: the outcome of an earlier one is unknown: no sync",
            "Cannot add already existing table \"t\" to keyspace \"ks\"",
            "DROPPED ks.t"),
        answers);
  }

  private static void failSyncs(MetadataFixture node, AtomicInteger failures) {
    node.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC
              && path.startsWith("metadata/")
              && failures.getAndDecrement() > 0) {
            throw new IOException("no sync");
          }
        });
  }

  @Test
  void anEntryOfAnotherNodeMakesAPlannedChangeVoidAndItIsPlannedAgain() {
    MetadataFixture node = new MetadataFixture(10).open().withKeyspace();
    List<String> answers = new ArrayList<>();
    UUID other = new UUID(0x4000, 77);
    SchemaEdit edit = new SchemaEdit.CreateKeyspace("o", true, Replication.simple(1));
    node.log()
        .propose(
            new Proposal(new ProposalId(other, 1, 1), 3, new MetadataEntry.SchemaChanged(edit)),
            new MetadataLog.ProposalCallback() {
              @Override
              public void decided(Decision decision) {
                answers.add(decision.outcome().toString());
              }

              @Override
              public void notProposed(Exception cause) {}

              @Override
              public void unknown(Exception cause) {}
            });
    node.begin("CREATE TABLE t (k int PRIMARY KEY)", answers);
    node.world.runUntil(() -> answers.size() == 2);
    assertTrue(answers.contains("APPLIED") && answers.contains("CREATED ks.t"), answers::toString);
    assertNotNull(node.state().schema().keyspace("o"));
  }
}
