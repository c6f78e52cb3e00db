package io.helenus.server.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.server.consensus.RegisterState.Reply;
import io.helenus.server.consensus.RegisterState.Vote;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a voter replies, and what it must not forget. */
class RegisterStateTest {
  private static final byte[] VALUE = {1};
  private static final byte[] OTHER = {2};

  private RegisterState state = RegisterState.EMPTY;

  private static Ballot ballot(long micros) {
    return new Ballot(micros, new UUID(0, 1), 7);
  }

  /** The reply to what changes the state, which must be durable before it. */
  private Reply synced(Vote vote) {
    assertNotSame(state, vote.next());
    state = vote.next();
    return vote.reply();
  }

  private Reply unchanged(Vote vote) {
    assertSame(state, vote.next());
    return vote.reply();
  }

  @Test
  void aPromiseRulesOutEarlierBallots() {
    assertEquals(new Reply.Promised(ballot(5), null), synced(state.prepare(ballot(5))));
    assertEquals(new Reply.Promised(ballot(5), null), unchanged(state.prepare(ballot(5))));
    assertEquals(new Reply.Rejected(ballot(4), ballot(5)), unchanged(state.prepare(ballot(4))));
    assertEquals(
        new Reply.Rejected(ballot(4), ballot(5)), unchanged(state.accept(ballot(4), VALUE)));
    assertEquals(new Reply.Accepted(ballot(5)), synced(state.accept(ballot(5), VALUE)));
  }

  @Test
  void anAcceptanceIsAPromiseAndIsReported() {
    assertEquals(new Reply.Accepted(ballot(5)), synced(state.accept(ballot(5), VALUE)));
    assertEquals(new Reply.Rejected(ballot(4), ballot(5)), unchanged(state.prepare(ballot(4))));
    AcceptedValue accepted = new AcceptedValue(ballot(5), VALUE);
    assertEquals(new Reply.Promised(ballot(6), accepted), synced(state.prepare(ballot(6))));
    assertEquals(
        new Reply.Rejected(ballot(5), ballot(6)), unchanged(state.accept(ballot(5), VALUE)));
    assertEquals(new Reply.Accepted(ballot(7)), synced(state.accept(ballot(7), OTHER)));
    assertEquals(new Reply.Accepted(ballot(7)), unchanged(state.accept(ballot(7), OTHER)));
    AcceptedValue replaced = new AcceptedValue(ballot(7), OTHER);
    assertEquals(new Reply.Promised(ballot(7), replaced), unchanged(state.prepare(ballot(7))));
  }
}
