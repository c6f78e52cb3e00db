package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.error.CqlError;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Truncations as entries of the log: when storage carries them out, and what clients are told. */
class LoggedTruncationTest {
  private static final int TABLE = 100;

  private static MetadataFixture node() {
    MetadataFixture node = new MetadataFixture(1).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY)"));
    node.events.clear();
    return node;
  }

  /** Truncates a table; its outcomes are added to the list once known. */
  private static void begin(MetadataFixture node, int tableId, List<String> outcomes) {
    node.metadata()
        .truncate(
            tableId,
            Runnable::run,
            new Metadata.TruncationCallback() {
              @Override
              public void truncated(UUID member) {
                assertEquals(node.metadata().hostId(), member);
                outcomes.add("truncated with " + node.state().index());
              }

              @Override
              public void failed(CqlError error) {
                assertInstanceOf(CqlError.TruncateError.class, error);
                outcomes.add(error.message());
              }

              @Override
              public boolean isOver() {
                return false;
              }
            });
  }

  private static String truncate(MetadataFixture node, int tableId) {
    List<String> outcomes = new ArrayList<>();
    begin(node, tableId, outcomes);
    node.world.runUntil(() -> !outcomes.isEmpty());
    return outcomes.getFirst();
  }

  @Test
  void storageTruncatesBeforeTheStateSaysSo() {
    MetadataFixture node = node();
    UUID version = node.state().schema().version();
    long before = node.state().index();
    node.metadata()
        .listen((old, now, changes) -> node.events.add("visible " + now.truncations().keySet()));
    assertEquals("truncated with " + (before + 1), truncate(node, TABLE));
    assertEquals(List.of("storage truncates [100]", "visible [100]"), node.events);
    assertEquals(Map.of(TABLE, before + 1), node.state().truncations());
    // mutations that were planned before can be told from others, but nothing was defined
    assertEquals(before + 1, node.state().schema().epoch());
    assertEquals(version, node.state().schema().version());
  }

  @Test
  void aTableWithoutTruncationOrThatWasDroppedIsForgotten() {
    MetadataFixture node = node();
    assertEquals("Error during truncate: the table was dropped", truncate(node, 101));
    assertEquals("truncated with 4", truncate(node, TABLE));
    assertEquals(StateText.of(node.state()), StateText.of(readAgain(node.state())));
    assertEquals("DROPPED ks.t", node.change("DROP TABLE t"));
    assertEquals(Map.of(), node.state().truncations());
    Decision decision = node.propose(new UUID(1, 2), 1, new MetadataEntry.TableTruncated(TABLE));
    assertEquals(Outcome.REFUSED, decision.outcome());
  }

  private static ClusterState readAgain(ClusterState state) {
    ByteWriter bytes = new ByteWriter(1024);
    new FactWriter(bytes).snapshot(state);
    return new FactReader(bytes.segment(), 0, bytes.size(), FactFormat.VERSION)
        .snapshot(SystemKeyspaces.all());
  }

  @Test
  void whatACrashHasInterruptedIsCarriedOutBeforeAnythingElse() {
    MetadataFixture node = node();
    node.truncates = false;
    List<String> outcomes = new ArrayList<>();
    begin(node, TABLE, outcomes);
    node.world.runReady();
    assertEquals(List.of(), outcomes);
    assertEquals(List.of("storage truncates [100]"), node.events);
    assertEquals(Map.of(), node.state().truncations());
    node.kill();
    node.truncates = true;
    node.events.clear();
    node.open();
    node.metadata().whenCaughtUp(() -> node.events.add("caught up"));
    node.world.runReady();
    assertEquals(List.of("storage truncates [100]", "caught up"), node.events);
    assertEquals(Map.of(TABLE, 4L), node.state().truncations());
    // and only once: rows that were written since must stay
    node.kill();
    node.events.clear();
    node.open();
    node.world.runReady();
    assertEquals(List.of(), node.events);
  }

  @Test
  void clientsAreToldThatAnOutcomeIsUnknown() {
    MetadataFixture node = node();
    int[] failures = {6};
    node.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC && path.startsWith("metadata/") && failures[0]-- > 0) {
            throw new IOException("no sync");
          }
        });
    String unknown = "The outcome of the change is unknown; it may or may not take effect: no sync";
    assertEquals("Error during truncate: " + unknown, truncate(node, TABLE));
    List<CqlError> errors = new ArrayList<>();
    MetadataFixture other = new MetadataFixture(2).open();
    other.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC && path.startsWith("metadata/")) {
            throw new IOException("no sync");
          }
        });
    other
        .metadata()
        .change(
            (SchemaStatement)
                CqlParser.parse("CREATE KEYSPACE a WITH replication = {'class': 'SimpleStrategy'}"),
            null,
            Runnable::run,
            new Metadata.ChangeCallback() {
              @Override
              public void changed(SchemaChange change) {
                throw new AssertionError(change);
              }

              @Override
              public void refused(CqlError error) {
                errors.add(error);
              }
            });
    other.world.runUntil(() -> !errors.isEmpty());
    // SERIAL is 8; one of one voter would have to accept
    assertEquals(new CqlError.WriteTimeout(unknown, 8, 0, 1, "CAS", 0), errors.getFirst());
  }
}
