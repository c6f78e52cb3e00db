package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.storage.bytes.RecordMarks;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LocalMetadataLogTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static final IndexTerms NO_TERMS = new IndexTerms() {};
  private static final String FIRST_FILE = "metadata/metadata-1.log";

  @Test
  void theFirstStartGeneratesAnIdentityThatLaterStartsKeep() {
    MetadataFixture node = new MetadataFixture(1).open();
    ClusterNode drawn = node.log().node();
    assertEquals(16, drawn.tokens().length);
    assertEquals(4, drawn.hostId().version());
    assertEquals("Test", node.state().clusterName());
    node.losePower();
    node.open();
    assertEquals(drawn, node.log().node());
    assertNotEquals(drawn, new MetadataFixture(2).open().log().node());
  }

  @Test
  void aDifferentClusterNameOrLocationIsRejected() {
    MetadataFixture node = new MetadataFixture(3).open();
    node.kill();
    MetadataException name =
        assertThrows(
            MetadataException.class,
            () ->
                node.open(
                    new NodeIdentity("Other", "datacenter1", "rack1", 16, List.of(), null, "")));
    assertTrue(name.getMessage().startsWith("Saved cluster name Test != configured name Other"));
    assertThrows(
        MetadataException.class,
        () -> node.open(new NodeIdentity("Test", "elsewhere", "rack1", 16, List.of(), null, "")));
  }

  @Test
  void everyKindOfEditRoundTrips() {
    MetadataFixture node = new MetadataFixture(4).open().withKeyspace();
    String everything =
        """
        CREATE TABLE t (a int, b text, c decimal, d timeuuid, s inet STATIC, v duration, "W w" blob,
          PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)
          AND comment = 'it''s' AND gc_grace_seconds = 5 AND default_time_to_live = 7
          AND compression = {'enabled': false} AND incremental_backups = false
          AND compaction = {'class': 'LeveledCompactionStrategy'} AND speculative_retry = '10ms'
        """;
    assertEquals("CREATED ks.t", node.change(everything));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t DROP v USING TIMESTAMP 1234567"));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t ADD v duration"));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t DROP \"W w\""));
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t RENAME a TO first"));
    String fixed = "CREATE TABLE c1 (k int PRIMARY KEY, v int) WITH COMPACT STORAGE";
    assertEquals("CREATED ks.c1", node.change(fixed));
    String dense = "CREATE TABLE c2 (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE";
    assertEquals("CREATED ks.c2", node.change(dense));
    assertEquals("CREATED ks.c3", node.change(dense.replace("c2", "c3")));
    assertEquals("UPDATED ks.c3", node.change("ALTER TABLE c3 DROP COMPACT STORAGE"));
    assertEquals("CREATED ks.u", node.change("CREATE TABLE u (k int PRIMARY KEY)"));
    assertEquals("DROPPED ks.u", node.change("DROP TABLE u"));
    assertEquals("CREATED ks.i", node.change("CREATE TABLE i (k int PRIMARY KEY, v int, w text)"));
    assertEquals("UPDATED ks.i", node.change("CREATE INDEX ON i (v)"));
    assertEquals(
        "UPDATED ks.i",
        node.change("CREATE INDEX \"W\" ON i (w) USING 'SAI' WITH options = {'ascii': true}"));
    assertEquals("UPDATED ks.i", node.change("CREATE INDEX gone ON i (w)"));
    assertEquals("UPDATED ks.i", node.change("DROP INDEX gone"));
    assertEquals(
        "CREATED ks.b",
        node.change(
            "CREATE TABLE b (k int, c int, v int, w list<int>,"
                + " x text, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)"));
    assertEquals(
        "CREATED ks.b1",
        node.change(
            "CREATE MATERIALIZED VIEW b1 AS SELECT k, c, v FROM b"
                + " WHERE k IN (1, 1 + 1) AND (c) > (3) AND v IS NOT NULL AND x IS NOT NULL"
                + " PRIMARY KEY (v, c, k)"));
    assertEquals(
        "CREATED ks.b2",
        node.change(
            "CREATE MATERIALIZED VIEW b2 AS SELECT * FROM b"
                + " WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)"));
    assertEquals("UPDATED ks.b", node.change("ALTER TABLE b ADD (y text, z map<int, int>)"));
    assertEquals("UPDATED ks.b", node.change("ALTER TABLE b RENAME c TO \"C\""));
    assertEquals("UPDATED ks.b1", node.change("ALTER MATERIALIZED VIEW b1 WITH comment = 'x'"));
    assertEquals(
        "CREATED ks.b3",
        node.change(
            "CREATE MATERIALIZED VIEW b3 AS SELECT * FROM b"
                + " WHERE k IS NOT NULL AND \"C\" IS NOT NULL PRIMARY KEY (\"C\", k)"));
    assertEquals("DROPPED ks.b3", node.change("DROP MATERIALIZED VIEW b3"));
    String alter =
        "ALTER KEYSPACE system_traces WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}";
    assertEquals("UPDATED system_traces", node.change(alter));
    ClusterState before = node.state();
    byte[] snapshot = node.log().snapshot();
    node.kill();
    node.open();
    assertArrayEquals(snapshot, node.log().snapshot());
    assertSame(before, node.state());
  }

  private static void assertSame(ClusterState expected, ClusterState actual) {
    assertEquals(expected.index(), actual.index());
    assertEquals(expected.lastTableId(), actual.lastTableId());
    assertEquals(expected.schema().version(), actual.schema().version());
    assertEquals(expected.schema().epoch(), actual.schema().epoch());
    assertEquals(expected.nodes(), actual.nodes());
    List<String> expectedTables = new ArrayList<>();
    List<String> actualTables = new ArrayList<>();
    describe(expected, expectedTables);
    describe(actual, actualTables);
    assertEquals(expectedTables, actualTables);
  }

  private static void describe(ClusterState state, List<String> lines) {
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      lines.add(keyspace + " " + keyspace.replication() + " " + keyspace.durableWrites());
      for (TableSchema table : keyspace.tables()) {
        lines.add(table + " " + table.id() + " " + table.storageId() + " " + table.columns());
        lines.add(table.compactStorage() + " " + table.visibleColumns());
        lines.add(table.indexes() + " " + table.lastIndexId());
        lines.add(table.droppedColumns() + " " + table.options() + " " + table.lastColumnId());
        ViewSchema view = table.view();
        if (view != null) {
          lines.add(view.where(keyspace.baseOf(view)) + view.keyColumn() + view.unselected());
        }
        if (!table.isVirtual()) {
          lines.add(withoutTerms(table.descriptor()));
        }
      }
    }
  }

  /** The functions that compute terms cannot be compared. */
  private static String withoutTerms(TableDescriptor table) {
    List<IndexDescriptor> indexes =
        table.indexes().stream()
            .map(each -> new IndexDescriptor(each.id(), each.source(), each.columnId(), NO_TERMS))
            .toList();
    return new TableDescriptor(
            table.id(),
            table.columns(),
            table.gcGraceSeconds(),
            table.compression(),
            table.compactionMinThreshold(),
            table.compactionMaxThreshold(),
            table.bloomFalsePositiveChance(),
            indexes)
        .toString();
  }

  @Test
  void aTailTornAtAnyByteIsTruncated() {
    MetadataFixture node = new MetadataFixture(5).open().withKeyspace();
    int whole = node.files.contents(FIRST_FILE).length;
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY, v text)"));
    byte[] bytes = node.files.contents(FIRST_FILE);
    for (int length = whole; length < bytes.length; length++) {
      node.kill();
      node.files.replace(FIRST_FILE, Arrays.copyOf(bytes, length));
      node.open();
      assertEquals(2, node.state().index(), "of " + length + " bytes");
      assertEquals(whole, node.files.contents(FIRST_FILE).length);
    }
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY, v text)"));
  }

  @Test
  void aFlippedBitPreventsStartupOrIsHarmless() {
    MetadataFixture node = new MetadataFixture(6).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY, v text)"));
    byte[] bytes = node.files.contents(FIRST_FILE);
    int harmless = 0;
    for (int position = 0; position < bytes.length; position++) {
      node.kill();
      byte[] flipped = bytes.clone();
      flipped[position] ^= (byte) (1 << (position % 8));
      node.files.replace(FIRST_FILE, flipped);
      try {
        node.open();
        assertEquals(3, node.state().index(), "flipped at " + position);
        harmless++;
      } catch (MetadataException damaged) {
        assertTrue(damaged.getMessage().contains(FIRST_FILE), damaged.getMessage());
        assertTrue(damaged.getMessage().contains("offset "), damaged.getMessage());
      }
    }
    // the marks of the snapshot and two entries
    assertEquals(3 * (1 + RecordMarks.END_BYTES), harmless);
  }

  @Test
  void aLongLogIsRewrittenAsASnapshot() {
    MetadataFixture node = new MetadataFixture(7).open().withKeyspace();
    assertEquals("CREATED ks.t", node.change("CREATE TABLE t (k int PRIMARY KEY, v text)"));
    for (int i = 1; i <= 600; i++) {
      assertEquals("UPDATED ks.t", node.change("ALTER TABLE t WITH gc_grace_seconds = " + i));
    }
    assertEquals(List.of("metadata/metadata-3.log"), node.files.paths());
    assertEquals(603, node.state().index());
    ClusterState before = node.state();
    node.losePower();
    node.open();
    assertSame(before, node.state());
    assertEquals("UPDATED ks.t", node.change("ALTER TABLE t ADD w int"));
  }

  @Test
  void acknowledgedChangesSurviveAPowerLossAtAnyMoment() throws Exception {
    seeds.each(
        200,
        seed -> {
          MetadataFixture node = new MetadataFixture(seed).open().withKeyspace();
          node.files.crashAfter(1 + seed % 23);
          int answered = answeredBeforeTheCrash(node);
          node.losePower();
          node.open();
          for (int i = 0; i < answered; i++) {
            String table = "t" + i;
            assertTrue(node.state().schema().table("ks", table) != null, table + ", seed " + seed);
          }
          assertEquals(
              "CREATED ks.after", node.change("CREATE TABLE after (k int PRIMARY KEY)"), "" + seed);
        });
  }

  @Test
  void anInterruptedFirstStartIsRepeated() {
    for (int operation = 1; operation <= 8; operation++) {
      MetadataFixture node = new MetadataFixture(operation);
      node.files.crashAfter(operation);
      try {
        node.open();
      } catch (SimulatedCrash | MetadataException crash) {
        assertTrue(node.metadata == null);
      }
      node.losePower();
      node.open().withKeyspace();
    }
  }

  private static int answeredBeforeTheCrash(MetadataFixture node) {
    for (int i = 0; i < 30; i++) {
      try {
        if (!node.change("CREATE TABLE t" + i + " (k int PRIMARY KEY)").startsWith("CREATED")) {
          return i;
        }
      } catch (SimulatedCrash crash) {
        return i;
      }
    }
    return 30;
  }

  private static MetadataEntry keyspace(String name) {
    return new MetadataEntry.SchemaChanged(
        new SchemaEdit.CreateKeyspace(name, true, Replication.simple(1)));
  }

  @Test
  void aRetryAppliesOnceEvenAfterARestart() {
    MetadataFixture node = new MetadataFixture(8).open();
    UUID proposer = node.log().node().hostId();
    Proposal proposal = new Proposal(new ProposalId(proposer, 9, 2), 2, keyspace("once"));
    assertEquals(Outcome.APPLIED, node.propose(proposal).outcome());
    UUID version = node.log().state().schema().version();
    assertEquals(Outcome.APPLIED, node.propose(proposal).outcome());
    node.kill();
    node.open();
    assertEquals(Outcome.APPLIED, node.propose(proposal).outcome());
    assertEquals(version, node.log().state().schema().version());
    assertEquals(4, node.log().state().index());
  }

  @Test
  void theSchemaVersionIsAFunctionOfTheEntries() {
    UUID proposer = new UUID(1, 2);
    MetadataFixture one = new MetadataFixture(10).open();
    MetadataFixture other = new MetadataFixture(11).open();
    UUID empty = one.log().state().schema().version();
    for (MetadataFixture node : List.of(one, other)) {
      assertEquals(Outcome.APPLIED, node.propose(proposer, 1, keyspace("a")).outcome());
    }
    assertNotEquals(empty, one.log().state().schema().version());
    assertEquals(8, one.log().state().schema().version().version());
    assertEquals(one.log().state().schema().version(), other.log().state().schema().version());
    assertEquals(Outcome.APPLIED, one.propose(proposer, 2, keyspace("b")).outcome());
    assertEquals(Outcome.APPLIED, other.propose(proposer, 2, keyspace("c")).outcome());
    assertNotEquals(one.log().state().schema().version(), other.log().state().schema().version());
  }

  private static final class Followed implements MetadataLog.Follower {
    private final List<Long> indexes = new ArrayList<>();
    private String refusal = "";

    @Override
    public void applied(long index, Proposal proposal, ClusterState state) {
      indexes.add(index);
    }

    @Override
    public void replaced(ClusterState state) {
      throw new AssertionError("replaced by " + state.index());
    }

    @Override
    public void refused(MetadataException cause) {
      refusal = String.valueOf(cause.getMessage());
    }
  }

  private static Followed follow(MetadataFixture node, long afterIndex) {
    Followed followed = new Followed();
    node.log().readFrom(afterIndex, followed);
    node.world.runReady();
    return followed;
  }

  @Test
  void aFollowerBehindWhatWasRolledOffIsRefused() {
    MetadataFixture node = new MetadataFixture(14).open();
    UUID proposer = node.log().node().hostId();
    for (int i = 1; i <= 258; i++) {
      assertEquals(Outcome.APPLIED, node.propose(proposer, i, keyspace("k" + i)).outcome());
    }
    // 1 founded the cluster; the file with 258 and 259 begins with the state as of 257
    Followed behind = follow(node, 256);
    assertEquals(
        "the metadata log no longer has the entries after 256: its first is 258; take a snapshot",
        behind.refusal);
    assertEquals(List.of(258L, 259L), follow(node, 257).indexes);
    Followed upToDate = follow(node, 259);
    assertEquals("the metadata log ends with entry 259, before 260", follow(node, 260).refusal);
    node.propose(proposer, 259, keyspace("next"));
    assertEquals(List.of(260L), upToDate.indexes);
    assertEquals(List.of(), behind.indexes);
    node.kill();
    node.open();
    assertEquals(List.of(258L, 259L, 260L), follow(node, 257).indexes);
    assertTrue(follow(node, 1).refusal.contains("take a snapshot"));
  }
}
