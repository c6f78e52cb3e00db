package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.helenus.server.consensus.AcceptedValue;
import io.helenus.server.consensus.Ballot;
import io.helenus.server.consensus.RegisterState;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.sim.SimFileSystem.Faults;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the files of a node keep besides entries: its host id, and its votes on the next entry. */
class LocalVotesTest {
  private static final UUID HOST = new UUID(0x4000, 5);

  private static RegisterState accepted(long micros) {
    Ballot ballot = new Ballot(micros, HOST, 7);
    return new RegisterState(
        new Ballot(micros + 1, HOST, 7),
        new AcceptedValue(ballot, new byte[] {1, 2, (byte) micros}));
  }

  private static void vote(MetadataFixture node, RegisterState state) {
    List<String> durable = new ArrayList<>();
    node.world
        .scheduler("voter")
        .execute(() -> node.log().vote(state, () -> durable.add("durable")));
    node.world.runReady();
    assertEquals(List.of("durable"), durable);
  }

  private static void assertSame(RegisterState expected, RegisterState read) {
    assertEquals(expected.promised(), read.promised());
    AcceptedValue before = expected.accepted();
    AcceptedValue after = read.accepted();
    assertEquals(before == null, after == null);
    if (before != null && after != null) {
      assertEquals(before.ballot(), after.ballot());
      assertArrayEquals(before.value(), after.value());
    }
  }

  private static MetadataEntry keyspace(String name) {
    return new MetadataEntry.SchemaChanged(
        new SchemaEdit.CreateKeyspace(name, true, Replication.simple(1)));
  }

  @Test
  void aVoteSurvivesAPowerLossUntilItsSlotIsDecided() {
    MetadataFixture node = new MetadataFixture(1).open();
    vote(node, new RegisterState(new Ballot(3, HOST, 7), null));
    vote(node, accepted(9));
    node.losePower();
    node.open();
    assertSame(accepted(9), node.log().register());
    node.propose(HOST, 1, keyspace("a"));
    assertSame(RegisterState.EMPTY, node.log().register());
    vote(node, accepted(20));
    node.losePower();
    node.open();
    assertSame(accepted(20), node.log().register());
    assertEquals(2, node.log().state().index());
  }

  @Test
  void aVoteThatCannotBeWrittenIsNotDurableUntilItIsWrittenAgain() {
    MetadataFixture node = new MetadataFixture(6).open();
    List<String> durable = new ArrayList<>();
    node.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC) {
            throw new IOException("no " + operation);
          }
        });
    node.log().vote(accepted(9), () -> durable.add("first"));
    node.world.runReady();
    assertEquals(List.of(), durable);
    RegisterState pending = node.log().register();
    node.files.faults(Faults.NONE);
    node.log().vote(pending, () -> durable.add("again"));
    assertEquals(List.of(), durable);
    node.world.runReady();
    assertEquals(List.of("again"), durable);
    node.log().vote(pending, () -> durable.add("at once"));
    assertEquals(List.of("again", "at once"), durable);
    node.losePower();
    node.open();
    assertSame(accepted(9), node.log().register());
  }

  @Test
  void aVoteIsCopiedIntoTheNextFile() {
    MetadataFixture node = new MetadataFixture(2).open();
    List<String> before = node.files.paths();
    for (int i = 1; i <= 256; i++) {
      node.propose(HOST, i, keyspace("k" + i));
    }
    assertEquals(before, node.files.paths());
    vote(node, accepted(9)); // begins the next file
    assertEquals(List.of("metadata/metadata-2.log"), node.files.paths());
    node.losePower();
    node.open();
    assertSame(accepted(9), node.log().register());
    assertEquals(257, node.log().state().index());
  }

  @Test
  void aNodeThatWaitsToJoinKeepsItsHostId() {
    MetadataFixture node = new MetadataFixture(3);
    LocalMetadataLog waiting = unfounded(node);
    assertEquals(0, waiting.state().index());
    node.losePower();
    LocalMetadataLog again = unfounded(node);
    assertEquals(waiting.hostId(), again.hostId());
    List<Decision> founded = new ArrayList<>();
    again.propose(
        Members.identity(1).founding(again.hostId(), node.world.randomness()),
        new MetadataLog.ProposalCallback() {
          @Override
          public void decided(Decision decision) {
            founded.add(decision);
          }

          @Override
          public void notProposed(Exception cause) {
            throw new AssertionError(cause);
          }

          @Override
          public void unknown(Exception cause) {
            throw new AssertionError(cause);
          }
        });
    node.world.runReady();
    assertEquals(Outcome.APPLIED, founded.getFirst().outcome());
    node.losePower();
    LocalMetadataLog member = unfounded(node);
    assertEquals(waiting.hostId(), member.node().hostId());
    assertEquals(waiting.hostId(), member.state().clusterId());
    assertEquals(List.of(waiting.hostId()), member.state().voters());
  }

  @Test
  void aSnapshotOfOthersKeepsTheHostId() {
    MetadataFixture founder = new MetadataFixture(4).open(Members.identity(1));
    MetadataFixture node = new MetadataFixture(5);
    LocalMetadataLog waiting = unfounded(node);
    waiting.install(founder.log().state(), LogProposals.NOBODY);
    node.world.runReady();
    node.losePower();
    LocalMetadataLog again = unfounded(node);
    assertEquals(waiting.hostId(), again.hostId());
    assertNotNull(again.state().node(founder.log().hostId()));
    assertEquals(founder.log().hostId(), again.state().clusterId());
  }

  private static LocalMetadataLog unfounded(MetadataFixture node) {
    return LocalMetadataLog.openUnfounded(
        node.files,
        SystemKeyspaces.all(),
        Members.identity(1),
        node.world.randomness(),
        node.world.pool("io"),
        node.world.scheduler("metadata"));
  }
}
