package io.helenus.server.consensus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.consensus.RegisterProposer.Step;
import io.helenus.server.consensus.RegisterState.Reply;
import io.helenus.server.consensus.RegisterState.Vote;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * At most one value is ever chosen per register, over a network that loses, repeats and reorders
 * messages, and voters that forget what was not synced.
 */
class RegisterSafetyTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static final long DEADLINE = 60_000_000_000L;

  /** What one register went through. */
  private static final class Run {
    private final SimRandomness randomness;
    private final Map<UUID, RegisterState> memory = new HashMap<>();
    private final Map<UUID, RegisterState> disk = new HashMap<>();
    private final List<Runnable> network = new ArrayList<>();
    private final List<Proposal> proposals = new ArrayList<>();
    private final Predicate<Boolean> syncs;
    private final boolean crashesOften;
    private final boolean repeatsBallots;
    private long now;
    private byte @Nullable [] chosen;
    private int chosenTimes;
    private int rejected;
    private int adopted;

    Run(SimRandomness randomness, int voters, Predicate<Boolean> syncs) {
      this(randomness, voters, syncs, false, false);
    }

    /**
     * A run.
     *
     * @param crashesOften whether proposers crash often, by a clock that stands still, and then
     *     propose something else
     * @param repeatsBallots whether each life begins with the ballots of the one before
     */
    Run(
        SimRandomness randomness,
        int voters,
        Predicate<Boolean> syncs,
        boolean crashesOften,
        boolean repeatsBallots) {
      this.crashesOften = crashesOften;
      this.randomness = randomness;
      this.syncs = syncs;
      this.repeatsBallots = repeatsBallots;
      for (int i = 0; i < voters; i++) {
        memory.put(new UUID(0, i), RegisterState.EMPTY);
        disk.put(new UUID(0, i), RegisterState.EMPTY);
      }
    }

    private Set<UUID> voters() {
      return new LinkedHashSet<>(memory.keySet());
    }

    /** Delivers a message never, once or twice, after any other. */
    private void send(Runnable delivery) {
      int fate = randomness.below(100);
      if (fate >= 15) {
        network.add(delivery);
      }
      if (fate >= 85) {
        network.add(delivery);
      }
    }

    private void vote(UUID voter, Proposal from, boolean prepares, Ballot ballot, byte[] value) {
      RegisterState before = memory.getOrDefault(voter, RegisterState.EMPTY);
      Vote vote = prepares ? before.prepare(ballot) : before.accept(ballot, value);
      memory.put(voter, vote.next());
      if (vote.next() != before && randomness.percent(20)) {
        return; // a crash follows before it is synced
      }
      if (syncs.test(prepares)) {
        disk.put(voter, vote.next());
      }
      if (vote.reply() instanceof Reply.Rejected) {
        rejected++;
      }
      send(() -> from.replied(voter, vote.reply()));
    }

    private void crash(UUID voter) {
      memory.put(voter, disk.getOrDefault(voter, RegisterState.EMPTY));
    }

    void go() {
      go(2_000);
    }

    void go(int steps) {
      for (int i = 0; i < 3; i++) {
        proposals.add(new Proposal(this, i));
      }
      for (int i = 0; i < steps; i++) {
        if (!network.isEmpty() && randomness.percent(80)) {
          network.remove(randomness.below(network.size())).run();
        } else if (randomness.percent(90)) {
          now += randomness.below(100_000_000);
          proposals.forEach(Proposal::time);
        } else {
          List<UUID> voters = new ArrayList<>(voters());
          crash(voters.get(randomness.below(voters.size())));
        }
      }
    }

    private void chosen(byte[] value) {
      byte[] before = chosen;
      if (before != null) {
        assertArrayEquals(before, value);
      }
      chosen = value;
      chosenTimes++;
    }
  }

  /** A proposer that begins again with the same value when it is done, as one that settles. */
  private static final class Proposal {
    private final Run run;
    private final int number;
    private final UUID hostId;
    private byte[] value;
    private RegisterProposer proposer;
    private long life;

    Proposal(Run run, int number) {
      this.run = run;
      this.number = number;
      this.value = new byte[] {(byte) number};
      this.hostId = new UUID(0, number);
      this.proposer = begin();
    }

    private RegisterProposer begin() {
      return new RegisterProposer(
          run.voters(),
          value,
          new Ballots(hostId, run.repeatsBallots ? 1 : ++life),
          run.randomness,
          run.now + DEADLINE);
    }

    void time() {
      if (run.randomness.percent(run.crashesOften ? 15 : 2)) {
        if (run.crashesOften) {
          value = new byte[] {(byte) number, (byte) run.randomness.below(100)};
        }
        proposer = begin();
      }
      long micros = run.crashesOften ? 1 : run.now / 1000 + run.randomness.below(1000);
      perform(proposer.time(run.now, micros));
    }

    void replied(UUID voter, Reply reply) {
      perform(proposer.replied(voter, reply, run.now));
    }

    private void perform(Step step) {
      switch (step) {
        case WAIT -> {}
        case PREPARE, ACCEPT -> {
          if (step == Step.ACCEPT && proposer.value() != value) {
            run.adopted++;
          }
          Ballot ballot = proposer.ballot();
          byte[] sent = proposer.value();
          for (UUID voter : run.voters()) {
            run.send(() -> run.vote(voter, this, step == Step.PREPARE, ballot, sent));
          }
        }
        case CHOSEN -> {
          run.chosen(proposer.value());
          proposer = begin();
        }
        case UNKNOWN, NOT_STARTED -> proposer = begin();
      }
    }
  }

  @Test
  void atMostOneValueIsChosen() throws Exception {
    int[] totals = new int[3];
    long runs =
        seeds.each(
            400,
            seed -> {
              SimRandomness randomness = new SimRandomness(seed);
              Run run = new Run(randomness, seed % 2 == 0 ? 3 : 5, prepares -> true);
              run.go();
              totals[0] += run.chosenTimes;
              totals[1] += run.rejected;
              totals[2] += run.adopted;
            });
    for (int total : totals) {
      assertTrue(total > runs, "chosen " + totals[0] + " rejected " + totals[1]);
    }
  }

  @Test
  void itIsNoticedIfAPromiseOrAnAcceptanceIsNotSynced() {
    for (boolean notSynced : new boolean[] {true, false}) {
      assertThrows(
          AssertionError.class,
          () -> {
            for (long seed = 0; seed < 400; seed++) {
              SimRandomness randomness = new SimRandomness(seed);
              new Run(randomness, seed % 2 == 0 ? 3 : 5, prepares -> prepares != notSynced).go();
            }
          });
    }
  }

  private static void restarting(boolean repeatsBallots) {
    for (long seed = 0; seed < 300; seed++) {
      SimRandomness randomness = new SimRandomness(seed);
      for (int i = 0; i < 20; i++) {
        new Run(randomness, seed % 2 == 0 ? 3 : 5, prepares -> true, true, repeatsBallots).go(150);
      }
    }
  }

  @Test
  void itIsNoticedIfABallotIsRepeated() {
    restarting(false);
    assertThrows(AssertionError.class, () -> restarting(true));
  }
}
