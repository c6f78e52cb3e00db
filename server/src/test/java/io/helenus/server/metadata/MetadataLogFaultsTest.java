package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.storage.env.sim.SimFileSystem.Faults;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is known of proposals when operations on the files of the log fail. */
class MetadataLogFaultsTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static MetadataEntry keyspace(String name) {
    return new MetadataEntry.SchemaChanged(
        new SchemaEdit.CreateKeyspace(name, true, Replication.simple(1)));
  }

  /** What became of proposals, in the order in which it was reported. */
  private static final class Reports implements MetadataLog.ProposalCallback {
    private final List<String> reports = new ArrayList<>();

    @Override
    public void decided(Decision decision) {
      reports.add(decision.outcome() + " " + decision.state().index());
    }

    @Override
    public void notProposed(Exception cause) {
      reports.add("not proposed: " + cause.getMessage());
    }

    @Override
    public void unknown(Exception cause) {
      reports.add("unknown: " + cause.getMessage());
    }
  }

  private static void failing(MetadataFixture node, Operation... operations) {
    Set<Operation> failing = Set.of(operations);
    node.files.faults(
        (operation, path) -> {
          if (path.startsWith("metadata") && failing.contains(operation)) {
            throw new IOException("no " + operation);
          }
        });
  }

  @Test
  void anUnknownOutcomeIsSettledInANewFile() {
    for (Operation operation : List.of(Operation.WRITE, Operation.SYNC)) {
      MetadataFixture node = new MetadataFixture(12).open();
      UUID proposer = node.log().node().hostId();
      Reports reports = new Reports();
      Proposal first = new Proposal(new ProposalId(proposer, 9, 1), 2, keyspace("a"));
      Proposal next = new Proposal(new ProposalId(proposer, 9, 2), 2, keyspace("b"));
      failing(node, operation);
      node.log().propose(first, reports);
      node.log().propose(next, reports);
      node.world.runReady();
      assertEquals(
          List.of(
              "unknown: no " + operation,
              "not proposed: the outcome of an earlier change is unknown"),
          reports.reports);
      node.log().propose(next, reports);
      node.log().settle(first, reports);
      node.world.runReady();
      assertEquals("unknown: no " + operation, reports.reports.get(3));
      node.files.faults(Faults.NONE);
      node.log().propose(next, reports);
      node.log().settle(first, reports);
      node.world.runReady();
      assertEquals(
          List.of("not proposed: the outcome of an earlier change is unknown", "APPLIED 2"),
          reports.reports.subList(4, 6));
      node.log().propose(next, reports);
      node.world.runReady();
      assertEquals("VOID 3", reports.reports.get(6));
      assertEquals(1, node.files.paths().size());
      String before = StateText.of(node.log().state());
      node.losePower();
      assertEquals(before, StateText.of(node.open().state()));
    }
  }

  @Test
  void whatWasNotWrittenIsKnownNotToBeInTheLog() throws IOException {
    MetadataFixture node = new MetadataFixture(13).open();
    UUID proposer = node.log().node().hostId();
    for (int i = 1; i <= 256; i++) {
      assertEquals(Outcome.APPLIED, node.propose(proposer, i, keyspace("k" + i)).outcome());
    }
    for (Operation operation : List.of(Operation.CREATE, Operation.RENAME, Operation.SYNC_FOLDER)) {
      failing(node, operation);
      Reports reports = new Reports();
      long slot = node.log().state().index() + 1;
      node.log()
          .propose(new Proposal(new ProposalId(proposer, 9, 300), slot, keyspace("a")), reports);
      node.world.runReady();
      assertEquals(List.of("not proposed: no " + operation), reports.reports);
    }
    failing(node, Operation.DELETE); // of the older file, which the next start deletes
    assertEquals(Outcome.APPLIED, node.propose(proposer, 301, keyspace("b")).outcome());
    node.files.faults(Faults.NONE);
    String before = StateText.of(node.log().state());
    node.losePower();
    assertEquals(before, StateText.of(node.open().state()));
    assertEquals(1, node.files.paths().size());
  }

  @Test
  void whatWasAnsweredHoldsWhateverFails() throws Exception {
    Set<String> anyUnknown = new TreeSet<>();
    Set<String> anyNotMade = new TreeSet<>();
    seeds.each(
        200,
        seed -> {
          MetadataFixture node = new MetadataFixture(seed).open().withKeyspace();
          SimRandomness randomness = new SimRandomness(seed);
          Set<String> made = new TreeSet<>();
          Set<String> notMade = new TreeSet<>();
          Set<String> unknown = new TreeSet<>();
          for (int i = 0; i < 40; i++) {
            int percent = randomness.percent(40) ? 30 : 0;
            node.files.faults(
                (operation, path) -> {
                  if (path.startsWith("metadata") && randomness.percent(percent)) {
                    throw new IOException("no " + operation);
                  }
                });
            String answer = node.change("CREATE TABLE t" + i + " (k int PRIMARY KEY)");
            Set<String> set =
                answer.startsWith("CREATED")
                    ? made
                    : answer.startsWith("The change was not made") ? notMade : unknown;
            assertTrue(set != unknown || answer.startsWith("The outcome of the change is unknown"));
            set.add("t" + i);
            if (randomness.percent(10)) {
              node.files.faults(Faults.NONE);
              node.losePower();
              node.open();
            }
          }
          node.files.faults(Faults.NONE);
          node.losePower();
          node.open();
          Set<String> tables = new TreeSet<>();
          Objects.requireNonNull(node.state().schema().keyspace("ks"))
              .tables()
              .forEach(table -> tables.add(table.name()));
          assertTrue(tables.containsAll(made), made + " of " + tables);
          assertTrue(Collections.disjoint(tables, notMade), notMade + " in " + tables);
          anyUnknown.addAll(unknown);
          anyNotMade.addAll(notMade);
        });
    assertTrue(!anyUnknown.isEmpty() && !anyNotMade.isEmpty(), "nothing failed");
  }
}
