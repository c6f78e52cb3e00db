package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.metadata.Proposer.Step;
import org.junit.jupiter.api.Test;

/** Every course that the changes of a node can take, without a log. */
class ProposerTest {
  private final Proposer proposer = new Proposer(7);

  private void propose() {
    assertEquals(Step.PLAN, proposer.changeWaits());
    assertEquals(Step.PROPOSE, proposer.planned());
  }

  @Test
  void aChangeIsConfirmedWhenItsStateIsVisible() {
    propose();
    assertEquals(Step.WAIT, proposer.changeWaits());
    assertEquals(Step.WAIT, proposer.decided(Outcome.APPLIED, 8));
    assertEquals(Step.WAIT, proposer.changeWaits());
    assertEquals(Step.CONFIRM, proposer.visible(8));
    propose();
  }

  @Test
  void aStateThatIsVisibleBeforeTheDecisionIsReportedCounts() {
    propose();
    assertEquals(Step.WAIT, proposer.visible(8));
    assertEquals(Step.CONFIRM, proposer.decided(Outcome.APPLIED, 8));
  }

  @Test
  void aChangeWithoutAProposalEndsAtOnce() {
    assertEquals(Step.PLAN, proposer.changeWaits());
    proposer.planEnded();
    propose();
  }

  @Test
  void aVoidProposalIsPlannedAgainAgainstTheStateThatMadeItVoid() {
    propose();
    assertEquals(Step.WAIT, proposer.visible(8)); // another node's
    assertEquals(Step.WAIT, proposer.decided(Outcome.VOID, 9));
    assertEquals(Step.PLAN, proposer.visible(9));
    assertEquals(Step.PROPOSE, proposer.planned());
    assertEquals(Step.WAIT, proposer.decided(Outcome.APPLIED, 10));
    assertEquals(Step.CONFIRM, proposer.visible(10));
  }

  @Test
  void aChangeThatIsAlwaysOvertakenIsGivenUp() {
    propose();
    long index = 7;
    for (int i = 1; i < Proposer.ATTEMPTS_LIMIT; i++) {
      assertEquals(Step.WAIT, proposer.decided(Outcome.VOID, ++index));
      assertEquals(Step.PLAN, proposer.visible(index));
      assertEquals(Step.PROPOSE, proposer.planned());
    }
    assertEquals(Step.WAIT, proposer.decided(Outcome.VOID, ++index));
    assertEquals(Step.REPORT_OVERTAKEN, proposer.visible(index));
    propose();
  }

  @Test
  void aRefusedProposalIsReportedAndNotRepeated() {
    propose();
    assertEquals(Step.WAIT, proposer.decided(Outcome.REFUSED, 8));
    assertEquals(Step.REPORT_REFUSED, proposer.visible(8));
    propose();
  }

  @Test
  void whatWasNotProposedIsReportedAndTheNextGoesOn() {
    propose();
    assertEquals(Step.REPORT_NOT_PROPOSED, proposer.notProposed());
    propose();
  }

  @Test
  void anUnknownOutcomeIsSettledBeforeAnythingIsReported() {
    propose();
    assertEquals(Step.SETTLE, proposer.unknown());
    assertEquals(Step.WAIT, proposer.changeWaits());
    assertEquals(Step.WAIT, proposer.decided(Outcome.APPLIED, 8));
    assertEquals(Step.CONFIRM, proposer.visible(8));
  }

  @Test
  void aSettledProposalThatIsVoidIsPlannedAgain() {
    propose();
    assertEquals(Step.SETTLE, proposer.unknown());
    assertEquals(Step.WAIT, proposer.decided(Outcome.VOID, 8));
    assertEquals(Step.PLAN, proposer.visible(8));
  }

  @Test
  void whatCannotBeSettledIsReportedAsUnknownAndSettledBeforeTheNextIsPlanned() {
    propose();
    assertEquals(Step.SETTLE, proposer.unknown());
    assertEquals(Step.REPORT_UNKNOWN, proposer.unknown());
    assertEquals(Step.SETTLE, proposer.changeWaits());
    assertEquals(Step.WAIT, proposer.changeWaits());
    // The change that waited is refused; the next one tries again.
    assertEquals(Step.REPORT_BLOCKED, proposer.unknown());
    assertEquals(Step.SETTLE, proposer.changeWaits());
    assertEquals(Step.WAIT, proposer.decided(Outcome.APPLIED, 8));
    // Planned when the earlier change is visible, which was answered long ago.
    assertEquals(Step.PLAN, proposer.visible(8));
    assertEquals(Step.PROPOSE, proposer.planned());
    assertEquals(Step.WAIT, proposer.decided(Outcome.APPLIED, 9));
    assertEquals(Step.CONFIRM, proposer.visible(9));
  }

  @Test
  void anEarlierProposalThatTurnsOutToBeVoidIsNotPlannedAgain() {
    propose();
    assertEquals(Step.SETTLE, proposer.unknown());
    assertEquals(Step.REPORT_UNKNOWN, proposer.unknown());
    assertEquals(Step.SETTLE, proposer.changeWaits());
    assertEquals(Step.WAIT, proposer.decided(Outcome.VOID, 8));
    assertEquals(Step.PLAN, proposer.visible(8));
    proposer.planEnded();
    propose();
  }
}
