package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Faults;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The logs of several nodes, whose entries voters decide. */
class ReplicatedMetadataLogTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static String create(ClusterRig rig, int node, String keyspace) {
    rig.nodes.get(node).run().create(keyspace);
    rig.world.runUntil(() -> rig.answers.containsKey(keyspace));
    return rig.answers.getOrDefault(keyspace, "");
  }

  private static List<UUID> voters(ClusterRig rig, int node) {
    return rig.nodes.get(node).run().local.state().voters();
  }

  @Test
  void threeNodesDecideOnceThreeHaveJoined() {
    ClusterRig rig = new ClusterRig(1, 3);
    rig.form();
    rig.awaitVoters(3);
    assertEquals(3, rig.nodes.getFirst().run().local.state().nodes().size());
    assertEquals("CREATED", create(rig, 2, "a"));
    // Every live node had followed it when it was answered.
    for (ClusterRig.Node node : rig.nodes) {
      assertTrue(node.run().metadata().state().schema().keyspace("a") != null);
    }
    assertEquals("CREATED", create(rig, 1, "b"));
    rig.nodes.getFirst().kill();
    assertEquals("CREATED", create(rig, 1, "c"));
    rig.nodes.get(1).kill();
    String alone = create(rig, 2, "d");
    assertTrue(
        alone.equals(
            "The change was not made: no majority of the voters of the metadata log has"
                + " answered"),
        alone);
    rig.nodes.get(0).start();
    rig.nodes.get(1).start();
    rig.awaitVoters(3);
    assertEquals("CREATED", create(rig, 0, "e"));
    rig.awaitAll(state -> state.schema().keyspace("e") != null, "e");
    rig.checkAnswers();
  }

  @Test
  void aNodeThatIsBehindDoesNotTakeAStatementForDone() {
    ClusterRig rig = new ClusterRig(11, 3);
    rig.form();
    rig.awaitVoters(3);
    ClusterRig.Node behind = rig.nodes.get(2);
    behind.kill();
    assertEquals("CREATED", create(rig, 0, "a"));
    behind.start();
    behind.run().change("drop", "DROP KEYSPACE IF EXISTS a", "DROPPED");
    rig.world.runUntil(() -> rig.answers.containsKey("drop"));
    assertEquals("DROPPED", rig.answers.get("drop"));
    rig.awaitAll(state -> state.schema().keyspace("a") == null, "a");
    // Where no majority can say so, it is not said that there is nothing to do.
    rig.nodes.get(0).kill();
    rig.nodes.get(1).kill();
    behind.run().change("again", "DROP KEYSPACE IF EXISTS a", "DROPPED");
    rig.world.runUntil(() -> rig.answers.containsKey("again"));
    assertEquals(
        "The change was not made: no majority of the voters of the metadata log has answered",
        rig.answers.get("again"));
  }

  @Test
  void fiveNodesHaveFiveVoters() {
    ClusterRig rig = new ClusterRig(2, 5);
    rig.form();
    rig.awaitVoters(5);
    assertEquals("CREATED", create(rig, 4, "a"));
    rig.nodes.get(0).kill();
    rig.nodes.get(1).kill();
    assertEquals("CREATED", create(rig, 4, "b"));
  }

  @Test
  void fourNodesHaveThreeVotersAndTheFourthProposesToo() {
    ClusterRig rig = new ClusterRig(3, 4);
    rig.form();
    rig.awaitVoters(3);
    int other = -1;
    for (int i = 0; i < 4; i++) {
      if (!voters(rig, 0).contains(rig.nodes.get(i).run().local.hostId())) {
        other = i;
      }
    }
    assertEquals("CREATED", create(rig, other, "a"));
    rig.checkAnswers();
  }

  @Test
  void aNodeThatWasAwayForLongTakesASnapshot() {
    ClusterRig rig = new ClusterRig(4, 3);
    rig.form();
    rig.awaitVoters(3);
    assertEquals("CREATED", create(rig, 0, "before"));
    rig.nodes.get(2).kill();
    for (int i = 0; i < 300; i++) {
      assertEquals("CREATED", create(rig, i % 2, "k" + i));
    }
    rig.nodes.get(2).start();
    rig.awaitAll(state -> state.schema().keyspace("k299") != null, "k299");
    assertTrue(rig.nodes.get(2).run().metadata().state().schema().keyspace("k299") != null);
    assertEquals("CREATED", create(rig, 2, "after"));
    rig.nodes.forEach(ClusterRig.Node::kill);
    rig.nodes.forEach(ClusterRig.Node::start);
    rig.awaitAll(state -> state.schema().keyspace("after") != null, "after");
    rig.checkAnswers();
  }

  @Test
  void whatANodeCannotWriteItDoesNotPropose() {
    ClusterRig rig = new ClusterRig(6, 3);
    rig.form();
    rig.awaitVoters(3);
    ClusterRig.Node full = rig.nodes.get(2);
    full.files.faults(
        (operation, path) -> {
          if (operation == Operation.WRITE) {
            throw new IOException("no " + operation);
          }
        });
    assertEquals("CREATED", create(rig, 0, "a"));
    String refused = create(rig, 2, "b");
    assertTrue(refused.startsWith("The change was not made: this node cannot write"), refused);
    full.files.faults(Faults.NONE);
    rig.awaitAll(state -> state.schema().keyspace("a") != null, "a");
    assertEquals("CREATED", create(rig, 2, "c"));
    rig.checkAnswers();
  }

  @Test
  void aMemberThatHasMovedRegisters() {
    ClusterRig rig = new ClusterRig(5, 3);
    rig.form();
    rig.awaitVoters(3);
    ClusterRig.Run moved = rig.nodes.get(1).run();
    moved.log.register(Members.addresses(9), "0.2.0", LogProposals.NOBODY);
    rig.awaitAll(
        state -> {
          ClusterNode node = state.node(moved.local.hostId());
          return node != null
              && Members.addresses(9).equals(node.addresses())
              && node.release().equals("0.2.0");
        },
        "moved");
  }

  /** What a run of chaos has met, so that one that meets nothing fails. */
  private static Map<String, Integer> chaos(
      long seed, UnaryOperator<FileSystem> disks, Map<String, Integer> met) {
    int count = 3 + (int) (seed % 3);
    ClusterRig rig = new ClusterRig(seed, count, disks);
    rig.lossPercent = rig.randomness.below(20);
    rig.delayMillis = 1 + rig.randomness.below(60);
    rig.form();
    int keyspaces = 0;
    for (int i = 0; i < 60; i++) {
      ClusterRig.Node node = rig.nodes.get(rig.randomness.below(count));
      if (rig.randomness.percent(10)) {
        rig.cut = rig.randomness.percent(50) ? node : null;
      }
      if (rig.randomness.percent(5)) {
        rig.lossPercent = rig.randomness.percent(50) ? rig.randomness.below(80) : 5;
      }
      if (!node.isUp()) {
        if (rig.randomness.percent(40)) {
          node.start();
        }
      } else if (rig.randomness.percent(10)) {
        node.kill();
      } else if (rig.randomness.percent(10)) {
        node.files.crashAfter(1 + rig.randomness.below(6));
      } else if (node.run().isMember()) {
        node.run().create("k" + keyspaces++);
      }
      if (rig.randomness.percent(4)) {
        rig.world.runFor(2 * LogProposals.TIMEOUT_NANOS);
      } else if (rig.randomness.percent(60)) {
        rig.world.runFor(1_000_000L * rig.randomness.below(400));
      }
    }
    rig.lossPercent = 0;
    rig.cut = null;
    for (ClusterRig.Node node : rig.nodes) {
      node.kill();
      node.start();
    }
    // What was accepted but not decided is found out by whoever proposes next.
    rig.awaitAll(state -> true, "equal");
    String last = "";
    for (int i = 0; i < 20 && !last.equals("CREATED"); i++) {
      last = create(rig, i % count, "last" + i);
    }
    assertEquals("CREATED", last);
    rig.awaitAll(state -> true, "equal");
    rig.checkAnswers();
    rig.answers.values().forEach(answer -> met.merge(answer.split(":")[0], 1, Integer::sum));
    met.merge("entries", rig.decided.size(), Integer::sum);
    return met;
  }

  @Test
  void whatWasAnsweredHoldsWhateverIsKilledAndLost() throws Exception {
    Map<String, Integer> met = new TreeMap<>();
    long runs = seeds.each(60, seed -> chaos(seed, UnaryOperator.identity(), met));
    if (runs > 1) {
      assertTrue(met.getOrDefault("CREATED", 0) > 10 * runs, met::toString);
      assertTrue(
          met.getOrDefault("The outcome of the change is unknown; it may or may not take effect", 0)
              > 0,
          met::toString);
      assertTrue(met.getOrDefault("The change was not made", 0) > 0, met::toString);
    }
  }

  /** A voter that forgets its votes lets two entries be chosen for one slot. */
  @Test
  void itIsNoticedIfVotesAreForgotten() {
    AssertionError noticed =
        assertThrows(
            AssertionError.class,
            () -> {
              for (long seed = 0; seed < 500; seed++) {
                chaos(seed, ForgottenVotes::new, new TreeMap<>());
              }
            });
    String text = noticed.getMessage() + noticed.getCause();
    assertTrue(text.contains("entry ") || text.contains("two different entries"), text);
  }
}
