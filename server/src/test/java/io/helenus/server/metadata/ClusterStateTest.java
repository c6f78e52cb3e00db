package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.server.types.ScalarType;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What entries do to the state of the cluster, whoever proposed them. */
class ClusterStateTest {
  private static final UUID ONE = new UUID(0x4000, 1);
  private static final UUID OTHER = new UUID(0x4000, 2);

  private ClusterState state = ClusterState.first(SystemKeyspaces.all());

  private static MetadataEntry joined(UUID host, long... tokens) {
    return new MetadataEntry.NodeJoined(new ClusterNode(host, "dc", "r", tokens), "Test");
  }

  private static MetadataEntry keyspace(String name) {
    return new MetadataEntry.SchemaChanged(
        new SchemaEdit.CreateKeyspace(name, true, Replication.simple(1)));
  }

  private static ProposalId id(UUID host, long life, long number) {
    return new ProposalId(host, life, number);
  }

  /** Makes a proposal the next entry. */
  private Decision decide(Proposal proposal) {
    Decision decision = state.apply(state.index() + 1, proposal);
    assertEquals(state.index() + 1, decision.state().index());
    state = decision.state();
    return decision;
  }

  private Outcome decide(ProposalId id, long slot, MetadataEntry entry) {
    return decide(new Proposal(id, slot, entry)).outcome();
  }

  private void found() {
    assertEquals(Outcome.APPLIED, decide(id(ONE, 0, 1), 1, joined(ONE, 10, 20)));
  }

  private String refusal(MetadataEntry entry) {
    ClusterState before = state;
    Decision decision =
        decide(new Proposal(id(OTHER, 1, before.index()), before.index() + 1, entry));
    assertEquals(Outcome.REFUSED, decision.outcome());
    assertEquals(before.nodes(), state.nodes());
    assertEquals(before.schema(), state.schema());
    assertEquals(Outcome.REFUSED, last(OTHER).outcome());
    return String.valueOf(decision.refusal());
  }

  private LastProposal last(UUID proposer) {
    LastProposal last = state.lastProposals().get(proposer);
    assertNotNull(last);
    return last;
  }

  @Test
  void aNodeWithATokenOfAnotherIsRefused() {
    found();
    assertEquals("token 20 belongs to " + ONE, refusal(joined(OTHER, 15, 20)));
    assertEquals("token 15 belongs to " + OTHER, refusal(joined(OTHER, 15, 15)));
    assertEquals("node " + OTHER + " has no tokens", refusal(joined(OTHER)));
    assertEquals("host id " + ONE + " is already a member", refusal(joined(ONE, 30)));
    assertEquals(
        "the cluster is called Test, not Prod",
        refusal(
            new MetadataEntry.NodeJoined(
                new ClusterNode(OTHER, "dc", "r", new long[] {30}), "Prod")));
    assertEquals(Outcome.APPLIED, decide(id(OTHER, 2, 1), state.index() + 1, joined(OTHER, 15)));
    assertEquals(List.of(ONE, OTHER), List.copyOf(state.nodes().keySet()));
  }

  private static MetadataEntry joinedAt(UUID host, int number, long... tokens) {
    return new MetadataEntry.NodeJoined(Members.node(host, number, tokens), "Test");
  }

  @Test
  void aNodeWithTheAddressOfAnotherIsRefused() {
    assertEquals(Outcome.APPLIED, decide(id(ONE, 0, 1), 1, joinedAt(ONE, 1, 10)));
    assertEquals("address 10.0.0.1:7000 belongs to " + ONE, refusal(joinedAt(OTHER, 1, 20)));
    assertEquals(
        Outcome.APPLIED, decide(id(OTHER, 2, 1), state.index() + 1, joinedAt(OTHER, 2, 20)));
    UUID third = new UUID(0x4000, 3);
    assertEquals(
        "address [fd00:0:0:0:0:0:0:2]:7000 belongs to " + OTHER, refusal(joinedAt(third, 2, 30)));
    assertEquals(List.of(ONE, OTHER), List.copyOf(state.nodes().keySet()));
  }

  @Test
  void nodesJoinOnlyWhileThereIsNoKeyspace() {
    assertEquals(Outcome.APPLIED, decide(id(ONE, 1, 1), 1, keyspace("a")));
    assertEquals(Outcome.APPLIED, decide(id(ONE, 1, 2), 2, joinedAt(ONE, 1, 10)));
    assertEquals(
        "nodes can only join while there is no keyspace, and there is a",
        refusal(joinedAt(OTHER, 2, 20)));
    MetadataEntry drop = new MetadataEntry.SchemaChanged(new SchemaEdit.DropKeyspace("a"));
    assertEquals(Outcome.APPLIED, decide(id(ONE, 1, 3), state.index() + 1, drop));
    assertEquals(
        Outcome.APPLIED, decide(id(OTHER, 2, 1), state.index() + 1, joinedAt(OTHER, 2, 20)));
  }

  private static MetadataEntry voters(UUID... voters) {
    return new MetadataEntry.VotersChanged(List.of(voters));
  }

  @Test
  void votersAreAnOddNumberOfMembers() {
    UUID third = new UUID(0x4000, 3);
    found();
    assertEquals(List.of(ONE), state.voters());
    assertEquals(ONE, state.clusterId());
    assertEquals("the number of voters must be odd, not 2", refusal(voters(ONE, OTHER)));
    assertEquals("the number of voters must be odd, not 0", refusal(voters()));
    assertEquals("a voter is named twice", refusal(voters(ONE, ONE, ONE)));
    assertEquals("host id " + OTHER + " is not a member", refusal(voters(ONE, OTHER, third)));
    assertEquals("these are the voters already", refusal(voters(ONE)));
    assertEquals(Outcome.APPLIED, decide(id(OTHER, 2, 1), state.index() + 1, joined(OTHER, 15)));
    assertEquals(Outcome.APPLIED, decide(id(third, 2, 1), state.index() + 1, joined(third, 16)));
    assertEquals(
        Outcome.APPLIED, decide(id(ONE, 2, 1), state.index() + 1, voters(ONE, OTHER, third)));
    assertEquals(List.of(ONE, OTHER, third), state.voters());
    assertEquals(ONE, state.clusterId());
  }

  @Test
  void aMemberRegistersAnAddressThatAnotherOneHad() {
    assertEquals(Outcome.APPLIED, decide(id(ONE, 0, 1), 1, joinedAt(ONE, 1, 10)));
    assertEquals(Outcome.APPLIED, decide(id(OTHER, 2, 1), 2, joinedAt(OTHER, 2, 20)));
    MetadataEntry there = new MetadataEntry.NodeRegistered(OTHER, Members.addresses(1), "");
    assertEquals(Outcome.APPLIED, decide(id(OTHER, 3, 1), state.index() + 1, there));
    UUID third = new UUID(0x4000, 3);
    assertEquals(
        "host id " + third + " is not a member",
        refusal(new MetadataEntry.NodeRegistered(third, Members.addresses(3), "")));
    MetadataEntry same = new MetadataEntry.NodeRegistered(ONE, Members.addresses(1), "0.2.0");
    assertEquals(Outcome.APPLIED, decide(id(ONE, 3, 1), state.index() + 1, same));
    ClusterNode node = state.node(ONE);
    assertNotNull(node);
    assertEquals("0.2.0", node.release());
  }

  @Test
  void tablesOfSeveralReplicasKeepTheirDeletions() {
    found();
    SchemaEdit two = new SchemaEdit.CreateKeyspace("two", true, Replication.simple(2));
    TableSchema table =
        new TableSchemaBuilder("two", "t", new UUID(0, 7), 107, TableOptions.defaults())
            .partitionKey("k", ScalarType.INT)
            .build();
    for (SchemaEdit edit : List.of(two, new SchemaEdit.CreateTable(table))) {
      long slot = state.index() + 1;
      decide(id(ONE, 1, slot), slot, new MetadataEntry.SchemaChanged(edit));
    }
    assertEquals(864_000, graceOf(107), "a single node has the only replica");
    decide(id(OTHER, 2, 1), state.index() + 1, joined(OTHER, 15));
    assertEquals(Integer.MAX_VALUE, graceOf(107));
  }

  private int graceOf(int table) {
    return state.tables().live().stream()
        .filter(each -> each.id() == table)
        .findFirst()
        .orElseThrow()
        .gcGraceSeconds();
  }

  @Test
  void editsOfWhatIsNotThereAreRefused() {
    found();
    UUID version = state.schema().version();
    SchemaEdit drop = new SchemaEdit.DropTable("absent", "t");
    assertEquals("keyspace absent does not exist", refusal(new MetadataEntry.SchemaChanged(drop)));
    SchemaEdit ofSystem = new SchemaEdit.DropTable("system", "local");
    assertEquals(
        "keyspace system is defined in the program",
        refusal(new MetadataEntry.SchemaChanged(ofSystem)));
    SchemaEdit system = new SchemaEdit.DropKeyspace("system_auth");
    assertEquals(
        "keyspace system_auth is defined in the program",
        refusal(new MetadataEntry.SchemaChanged(system)));
    assertEquals(version, state.schema().version());
    assertEquals(Outcome.APPLIED, decide(id(ONE, 1, 1), state.index() + 1, keyspace("a")));
    assertEquals("keyspace a already exists", refusal(keyspace("a")));
  }

  @Test
  void aProposalIsVoidInAnotherSlotThanItsOwn() {
    found();
    assertEquals(Outcome.VOID, decide(id(ONE, 1, 1), 3, keyspace("early")));
    assertEquals(Outcome.VOID, decide(id(ONE, 1, 2), 2, keyspace("late")));
    assertEquals(Outcome.VOID, last(ONE).outcome());
    assertNull(state.schema().keyspace("early"));
    assertNull(state.schema().keyspace("late"));
    assertEquals(Outcome.APPLIED, decide(id(ONE, 1, 3), 4, keyspace("now")));
    assertEquals(4, state.schema().epoch());
  }

  /** It used to be taken for done, as its number was not above the last one. */
  @Test
  void aRetriedProposalHasTheOutcomeThatItHad() {
    found();
    Proposal stale = new Proposal(id(ONE, 1, 1), 1, keyspace("stale"));
    assertEquals(Outcome.VOID, decide(stale).outcome());
    assertEquals(Outcome.VOID, decide(stale).outcome());
    Proposal done = new Proposal(id(ONE, 1, 2), 4, keyspace("done"));
    assertEquals(Outcome.APPLIED, decide(done).outcome());
    UUID version = state.schema().version();
    assertEquals(Outcome.APPLIED, decide(done).outcome());
    assertEquals(version, state.schema().version());
    assertEquals(5, state.index());
    Proposal refused = new Proposal(id(ONE, 1, 3), 6, keyspace("done"));
    assertEquals(Outcome.REFUSED, decide(refused).outcome());
    assertEquals(Outcome.REFUSED, decide(refused).outcome());
  }

  @Test
  void aProposalOfAnEarlierLifeDoesNotReplaceTheLast() {
    found();
    Proposal late = new Proposal(id(ONE, 4, 9), 2, keyspace("late"));
    assertEquals(Outcome.APPLIED, decide(id(ONE, 5, 1), 2, keyspace("a")));
    assertEquals(Outcome.VOID, decide(late).outcome());
    assertEquals(id(ONE, 5, 1), last(ONE).id());
    assertEquals(Outcome.APPLIED, last(ONE).outcome());
  }

  @Test
  void aGapIsAnError() {
    found();
    Proposal proposal = new Proposal(id(ONE, 1, 1), 3, keyspace("a"));
    IllegalStateException gap =
        assertThrows(IllegalStateException.class, () -> state.apply(3, proposal));
    assertTrue(gap.getMessage().contains("entry 3 after entry 1"), gap.getMessage());
  }
}
