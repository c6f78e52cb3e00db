package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.consensus.RegisterState;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs that earlier builds wrote must yield the same state and schema version forever: {@code
 * entries-N.log} has every kind of entry in format N, {@code snapshot-N.log} starts with a snapshot
 * of all of it, {@code members-2.log} has nodes with addresses and voters. The {@code .txt} beside
 * each is the state, as {@link StateText} has it. {@code -Dgolden.log=FOLDER} writes those of this
 * build; what has been released is never written again.
 */
class GoldenLogTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static final List<String> STATEMENTS =
      List.of(
          "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}",
          "CREATE KEYSPACE other WITH replication = {'class': 'NetworkTopologyStrategy',"
              + " 'datacenter1': 3} AND durable_writes = false",
          "ALTER KEYSPACE other WITH durable_writes = true",
          "ALTER KEYSPACE system_traces WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}",
          "CREATE TYPE inner1 (a int, \"B b\" text)",
          "CREATE TYPE outer1 (i frozen<inner1>, l list<frozen<inner1>>)",
          "CREATE TYPE gone (a int)",
          "DROP TYPE gone",
          """
          CREATE TABLE t (a int, b text, c decimal, d timeuuid, s inet STATIC, v duration,
            "W w" blob, u inner1, f frozen<outer1>, ve vector<float, 3>, tu tuple<int, text>,
            m map<text, frozen<set<int>>>,
            PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)
            AND comment = 'it''s' AND gc_grace_seconds = 5 AND default_time_to_live = 7
            AND compression = {'enabled': false} AND incremental_backups = false
            AND compaction = {'class': 'LeveledCompactionStrategy'} AND speculative_retry = '10ms'
            AND crc_check_chance = 0.5 AND extensions = {'x': '0x01'}
          """,
          "ALTER TYPE inner1 ADD c int",
          "ALTER TYPE inner1 RENAME a TO first",
          "ALTER TABLE t DROP v USING TIMESTAMP 1234567",
          "ALTER TABLE t ADD v duration",
          "ALTER TABLE t DROP \"W w\"",
          "ALTER TABLE t DROP m USING TIMESTAMP 7",
          "ALTER TABLE t RENAME a TO first",
          "CREATE TABLE c1 (k int PRIMARY KEY, v int) WITH COMPACT STORAGE",
          "CREATE TABLE c2 (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE",
          "CREATE TABLE c3 (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE",
          "ALTER TABLE c3 DROP COMPACT STORAGE",
          "CREATE TABLE counts (k int PRIMARY KEY, n counter)",
          "CREATE TABLE u (k int PRIMARY KEY)",
          "DROP TABLE u",
          "CREATE TABLE i (k int PRIMARY KEY, v int, w text, m map<int, int>, e vector<float, 2>)",
          "CREATE INDEX ON i (v)",
          "CREATE INDEX \"W\" ON i (w) USING 'SAI' WITH options = {'ascii': true}",
          "CREATE INDEX mk ON i (keys(m))",
          "CREATE INDEX near ON i (e) USING 'sai' WITH OPTIONS ="
              + " {'similarity_function': 'euclidean'}",
          "CREATE INDEX gone ON i (w)",
          "DROP INDEX gone",
          "CREATE TABLE masked (k int PRIMARY KEY, a text MASKED WITH mask_inner(1, null, '#'),"
              + " b int MASKED WITH DEFAULT)",
          "CREATE TABLE checked (k int PRIMARY KEY, a int CHECK a > 3 AND a <= 9,"
              + " b text CHECK LENGTH() < 8 AND NOT NULL)",
          "CREATE TABLE b (k int, c int, v int, w list<int>, x text, PRIMARY KEY (k, c))"
              + " WITH CLUSTERING ORDER BY (c DESC)",
          "CREATE MATERIALIZED VIEW b1 AS SELECT k, c, v FROM b"
              + " WHERE k IN (1, 1 + 1) AND (c) > (3) AND v IS NOT NULL AND x IS NOT NULL"
              + " PRIMARY KEY (v, c, k)",
          "CREATE MATERIALIZED VIEW b2 AS SELECT * FROM b"
              + " WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)",
          "ALTER TABLE b ADD (y text, z map<int, int>)",
          "ALTER TABLE b RENAME c TO \"C\"",
          "ALTER MATERIALIZED VIEW b1 WITH comment = 'x'",
          "CREATE MATERIALIZED VIEW b3 AS SELECT * FROM b"
              + " WHERE k IS NOT NULL AND \"C\" IS NOT NULL PRIMARY KEY (\"C\", k)",
          "DROP MATERIALIZED VIEW b3",
          "DROP KEYSPACE other");

  @ParameterizedTest
  @ValueSource(strings = {"entries-1", "snapshot-1", "entries-2", "snapshot-2", "members-2"})
  void aGoldenLogYieldsTheSameState(String name) throws IOException {
    MetadataFixture node = golden(name);
    String expected = new String(resource(name + ".txt"), StandardCharsets.UTF_8);
    assertEquals(
        expected, StateText.of(MetadataInspection.state(node.files, SystemKeyspaces.all())));
    node.open();
    assertEquals(expected, StateText.of(node.state()));
  }

  /** The node with one of these logs, not yet open. */
  private static MetadataFixture golden(String name) throws IOException {
    MetadataFixture node = new MetadataFixture(1);
    long generation = name.startsWith("snapshot") ? 2 : 1;
    node.write("metadata/metadata-" + generation + ".log", resource(name + ".log"));
    return node;
  }

  @ParameterizedTest
  @ValueSource(strings = {"entries-1", "snapshot-1"})
  void anOlderLogIsContinuedInANewFile(String name) throws IOException {
    MetadataFixture node = golden(name).open();
    List<String> before = node.files.paths();
    assertEquals("CREATED ks.added", node.change("CREATE TABLE added (k int PRIMARY KEY)"));
    assertEquals(1, node.files.paths().size());
    assertNotEquals(before, node.files.paths());
    String state = StateText.of(node.state());
    node.losePower();
    assertEquals(state, StateText.of(node.open().state()));
    assertEquals("DROPPED ks.added", node.change("DROP TABLE added"));
  }

  /** What a node does when it meets entries that were made for another state than its own. */
  @Test
  void noEntryMakesTheStateFunctionFail() throws Exception {
    List<Proposal> golden = new ArrayList<>();
    MetadataFixture node = golden("entries-2");
    ClusterState first = MetadataInspection.state(node.files, SystemKeyspaces.all());
    MetadataInspection.run(
        node.files,
        "metadata/metadata-1.log",
        SystemKeyspaces.all(),
        new MetadataVisitor() {
          @Override
          public void snapshot(long offset, ClusterState state) {}

          @Override
          public void hostId(long offset, UUID hostId) {}

          @Override
          public void vote(long offset, long slot, RegisterState state) {}

          @Override
          public void entry(long offset, long index, Proposal proposal) {
            golden.add(proposal);
          }
        });
    UUID proposer = new UUID(5, 6);
    seeds.each(
        200,
        seed -> {
          SimRandomness randomness = new SimRandomness(seed);
          boolean fromTheStart = randomness.percent(50);
          ClusterState state = fromTheStart ? ClusterState.first(SystemKeyspaces.all()) : first;
          int refused = 0;
          for (int i = 1; i <= 100; i++) {
            Proposal drawn = golden.get(randomness.below(golden.size()));
            Proposal proposal =
                new Proposal(
                    new ProposalId(proposer, 1, i),
                    state.index() + 1,
                    drawn.entry(),
                    drawn.bytes());
            Decision decision = state.apply(state.index() + 1, proposal);
            assertEquals(decision.outcome() == Outcome.REFUSED, decision.refusal() != null);
            if (decision.outcome() == Outcome.REFUSED) {
              refused++;
              assertEquals(state.schema().version(), decision.state().schema().version());
            }
            state = decision.state();
            assertEquals(decision.outcome(), last(state, proposer).outcome());
          }
          assertTrue(refused > 10, "refused " + refused);
          assertEquals(StateText.of(state), StateText.of(readAgain(state)));
        });
  }

  private static LastProposal last(ClusterState state, UUID proposer) {
    return Objects.requireNonNull(state.lastProposals().get(proposer));
  }

  private static ClusterState readAgain(ClusterState state) {
    ByteWriter bytes = new ByteWriter(1024);
    new FactWriter(bytes).snapshot(state);
    return new FactReader(bytes.segment(), 0, bytes.size(), FactFormat.VERSION)
        .snapshot(SystemKeyspaces.all());
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = GoldenLogTest.class.getResourceAsStream("/metadata/" + name)) {
      assertNotNull(in, name);
      return in.readAllBytes();
    }
  }

  /** Not a test: writes the golden logs of this build. */
  @Test
  @EnabledIfSystemProperty(named = "golden.log", matches = ".+")
  void write() throws IOException {
    Path folder = Path.of(System.getProperty("golden.log"));
    MetadataFixture node = new MetadataFixture(1).open();
    for (String statement : STATEMENTS) {
      String answer = node.change(statement);
      assertEquals(true, answer.matches("(CREATED|UPDATED|DROPPED) .*"), statement + answer);
    }
    UUID other = new UUID(0x4000, 77);
    ClusterNode joining = new ClusterNode(other, "datacenter1", "rack2", new long[] {5, 6});
    MetadataEntry join = new MetadataEntry.NodeJoined(joining, "Test");
    assertEquals(Outcome.APPLIED, node.propose(other, 1, join).outcome());
    assertEquals(Outcome.REFUSED, node.propose(other, 2, join).outcome());
    Proposal late = new Proposal(new ProposalId(other, 3, 1), 2, join);
    assertEquals(Outcome.VOID, node.propose(late).outcome());
    write(folder.resolve("entries-" + FactFormat.VERSION), node, "metadata/metadata-1.log");
    for (int i = 0; node.files.paths().equals(List.of("metadata/metadata-1.log")); i++) {
      node.change("ALTER TABLE i WITH gc_grace_seconds = " + (100 + i));
    }
    write(folder.resolve("snapshot-" + FactFormat.VERSION), node, "metadata/metadata-2.log");
  }

  /** Not a test: writes the golden log of members of this build. */
  @Test
  @EnabledIfSystemProperty(named = "golden.log", matches = ".+")
  void writeMembers() throws IOException {
    Path folder = Path.of(System.getProperty("golden.log"));
    MetadataFixture node = new MetadataFixture(2).open(Members.identity(1));
    UUID second = new UUID(0x4000, 78);
    MetadataEntry join = new MetadataEntry.NodeJoined(Members.node(second, 2, 7, 8), "Test");
    assertEquals(Outcome.APPLIED, node.propose(second, 1, join).outcome());
    UUID third = new UUID(0x4000, 79);
    MetadataEntry joinToo = new MetadataEntry.NodeJoined(Members.node(third, 3, 9), "Test");
    assertEquals(Outcome.APPLIED, node.propose(third, 1, joinToo).outcome());
    MetadataEntry moved = new MetadataEntry.NodeRegistered(second, Members.addresses(4), "0.2.0");
    assertEquals(Outcome.APPLIED, node.propose(second, 2, moved).outcome());
    UUID first = node.log().hostId();
    MetadataEntry voters = new MetadataEntry.VotersChanged(List.of(first, second, third));
    assertEquals(Outcome.APPLIED, node.propose(first, 1, voters).outcome());
    write(folder.resolve("members-" + FactFormat.VERSION), node, "metadata/metadata-1.log");
  }

  private static void write(Path name, MetadataFixture node, String log) throws IOException {
    Files.write(Path.of(name + ".log"), node.files.contents(log));
    Files.writeString(Path.of(name + ".txt"), StateText.of(node.state()));
  }
}
