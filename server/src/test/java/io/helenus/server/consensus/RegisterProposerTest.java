package io.helenus.server.consensus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.consensus.RegisterProposer.Step;
import io.helenus.server.consensus.RegisterState.Reply;
import io.helenus.storage.env.sim.SimRandomness;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every course that a proposal can take, without voters. */
class RegisterProposerTest {
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);
  private static final UUID C = new UUID(0, 3);
  private static final UUID STRANGER = new UUID(0, 9);
  private static final byte[] OWN = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] THIRD = {3};
  private static final long DEADLINE = 10_000_000_000L;

  private final RegisterProposer proposer = proposer(Set.of(A, B, C));

  private static RegisterProposer proposer(Set<UUID> voters) {
    return new RegisterProposer(voters, OWN, new Ballots(A, 7), new SimRandomness(1), DEADLINE);
  }

  private static Ballot ballot(long micros) {
    return new Ballot(micros, B, 1);
  }

  private Step promise(UUID voter, @Nullable AcceptedValue accepted) {
    return proposer.replied(voter, new Reply.Promised(proposer.ballot(), accepted), 0);
  }

  private Step accept(UUID voter) {
    return proposer.replied(voter, new Reply.Accepted(proposer.ballot()), 0);
  }

  private Step reject(UUID voter, Ballot promised) {
    return proposer.replied(voter, new Reply.Rejected(proposer.ballot(), promised), 0);
  }

  private void prepared() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(A, null));
    assertEquals(Step.ACCEPT, promise(B, null));
    assertArrayEquals(OWN, proposer.value());
  }

  @Test
  void aMajorityOfThreeChoosesTheOwnValue() {
    prepared();
    assertEquals(new Ballot(100, A, 7), proposer.ballot());
    assertEquals(Step.WAIT, promise(C, null)); // too late to matter
    assertEquals(Step.WAIT, accept(C));
    assertEquals(Step.CHOSEN, accept(A));
    assertArrayEquals(OWN, proposer.value());
    assertEquals(Step.WAIT, accept(B));
    assertEquals(Step.WAIT, proposer.time(DEADLINE, 200));
  }

  @Test
  void aGroupOfOneNeedsOneReply() {
    RegisterProposer alone = proposer(Set.of(A));
    assertEquals(Step.PREPARE, alone.time(0, 100));
    assertEquals(Step.ACCEPT, alone.replied(A, new Reply.Promised(alone.ballot(), null), 0));
    assertEquals(Step.CHOSEN, alone.replied(A, new Reply.Accepted(alone.ballot()), 0));
  }

  @Test
  void repliesCountOncePerVoterAndOnlyThoseOfVoters() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(A, null));
    assertEquals(Step.WAIT, promise(A, null));
    assertEquals(Step.WAIT, promise(STRANGER, null));
    assertEquals(Step.ACCEPT, promise(C, null));
    assertEquals(Step.WAIT, accept(C));
    assertEquals(Step.WAIT, accept(C));
    assertEquals(Step.WAIT, accept(STRANGER));
    assertEquals(Step.CHOSEN, accept(B));
  }

  @Test
  void theValueOfTheHighestBallotIsAdopted() {
    RegisterProposer five = proposer(Set.of(A, B, C, new UUID(0, 4), new UUID(0, 5)));
    assertEquals(Step.PREPARE, five.time(0, 100));
    Ballot to = five.ballot();
    AcceptedValue low = new AcceptedValue(ballot(5), OTHER);
    AcceptedValue high = new AcceptedValue(ballot(9), THIRD);
    assertEquals(Step.WAIT, five.replied(A, new Reply.Promised(to, low), 0));
    assertEquals(Step.WAIT, five.replied(B, new Reply.Promised(to, high), 0));
    assertEquals(Step.ACCEPT, five.replied(C, new Reply.Promised(to, low), 0));
    assertArrayEquals(THIRD, five.value());
  }

  @Test
  void aRejectedRoundIsFollowedByOneWithALaterBallotAfterAPause() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(A, new AcceptedValue(ballot(5), OTHER)));
    Ballot first = proposer.ballot();
    assertEquals(Step.WAIT, reject(B, ballot(500)));
    assertEquals(Step.WAIT, promise(C, null)); // the round is over
    long wake = proposer.wakeAtNanos();
    assertTrue(wake > 0 && wake <= RegisterProposer.FIRST_PAUSE_NANOS, "" + wake);
    assertEquals(Step.WAIT, proposer.time(wake - 1, 101));
    assertEquals(Step.PREPARE, proposer.time(wake, 101));
    assertEquals(501, proposer.ballot().micros());
    // What was adopted in the earlier round does not count, and neither do its replies.
    assertEquals(Step.WAIT, proposer.replied(A, new Reply.Promised(first, null), wake));
    assertEquals(Step.WAIT, proposer.replied(B, new Reply.Rejected(first, ballot(900)), wake));
    assertEquals(Step.WAIT, promise(B, null));
    assertEquals(Step.ACCEPT, promise(C, null));
    assertArrayEquals(OWN, proposer.value());
  }

  @Test
  void aStaleAcceptanceDoesNotCount() {
    prepared();
    Ballot first = proposer.ballot();
    assertEquals(Step.WAIT, accept(A));
    assertEquals(Step.WAIT, reject(B, ballot(500)));
    assertEquals(Step.PREPARE, proposer.time(proposer.wakeAtNanos(), 101));
    assertEquals(Step.WAIT, promise(A, new AcceptedValue(first, OWN)));
    assertEquals(Step.ACCEPT, promise(B, null));
    assertEquals(Step.WAIT, proposer.replied(C, new Reply.Accepted(first), 0));
    assertEquals(Step.WAIT, accept(A));
    assertEquals(Step.WAIT, proposer.replied(C, new Reply.Accepted(first), 0));
    assertEquals(Step.CHOSEN, accept(C));
  }

  @Test
  void aRoundWithoutAMajorityIsRepeated() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    Ballot first = proposer.ballot();
    assertEquals(Step.WAIT, promise(A, null));
    assertEquals(RegisterProposer.ROUND_NANOS, proposer.wakeAtNanos());
    assertEquals(Step.PREPARE, proposer.time(proposer.wakeAtNanos(), 50)); // the clock was set back
    assertNotEquals(first, proposer.ballot());
    assertTrue(proposer.ballot().isAfter(first));
  }

  @Test
  void withoutAnAcceptNothingWasProposed() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(A, null));
    long now = 0;
    Step step = Step.PREPARE;
    while (step == Step.PREPARE || step == Step.WAIT) {
      now = proposer.wakeAtNanos();
      step = proposer.time(now, 100);
    }
    assertEquals(DEADLINE, now);
    assertEquals(Step.NOT_STARTED, step);
    assertEquals(Step.WAIT, promise(B, null));
  }

  @Test
  void afterAnAcceptTheOutcomeIsUnknown() {
    prepared();
    assertEquals(Step.WAIT, accept(A));
    assertEquals(Step.PREPARE, proposer.time(proposer.wakeAtNanos(), 100));
    // Another value was accepted since; the own one may have been chosen all the same.
    assertEquals(Step.WAIT, promise(B, new AcceptedValue(ballot(1000), OTHER)));
    assertEquals(Step.ACCEPT, promise(C, null));
    assertArrayEquals(OTHER, proposer.value());
    assertEquals(Step.UNKNOWN, proposer.time(DEADLINE, 100));
  }

  @Test
  void anotherValueThatWasSentLeavesTheOwnOneNotStarted() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(B, new AcceptedValue(ballot(5), OTHER)));
    assertEquals(Step.ACCEPT, promise(C, null));
    assertEquals(Step.NOT_STARTED, proposer.time(DEADLINE, 100));
  }

  @Test
  void theOwnValueOfAnEarlierAttemptCountsAsSent() {
    assertEquals(Step.PREPARE, proposer.time(0, 100));
    assertEquals(Step.WAIT, promise(B, new AcceptedValue(ballot(5), OWN.clone())));
    assertEquals(Step.ACCEPT, promise(C, null));
    assertEquals(Step.UNKNOWN, proposer.time(DEADLINE, 100));
  }
}
