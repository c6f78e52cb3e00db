package io.helenus.server.consensus;

import org.jspecify.annotations.Nullable;

/**
 * What a voter has promised and accepted for one register. A pure acceptor: each request yields the
 * next state and the reply. <b>If the next state is not the same object, it must be durable before
 * the reply is sent.</b> Immutable.
 *
 * @param promised no ballot before this one is accepted any more; null if any is
 * @param accepted the value accepted last; null if none was
 */
public record RegisterState(@Nullable Ballot promised, @Nullable AcceptedValue accepted) {
  /** A register that nobody has proposed a value for. */
  public static final RegisterState EMPTY = new RegisterState(null, null);

  /** The reply to a request, and the state that must be durable before it is sent. */
  public record Vote(RegisterState next, Reply reply) {}

  /** What a voter replies. */
  public sealed interface Reply {
    /** No ballot before this one will be accepted; the value accepted so far, if any. */
    record Promised(Ballot ballot, @Nullable AcceptedValue accepted) implements Reply {}

    /** The value was accepted. */
    record Accepted(Ballot ballot) implements Reply {}

    /** The ballot comes too late: this later one was promised. */
    record Rejected(Ballot ballot, Ballot promised) implements Reply {}
  }

  /** A proposer asks for the promise not to accept earlier ballots. */
  public Vote prepare(Ballot ballot) {
    if (promised != null && promised.isAfter(ballot)) {
      return new Vote(this, new Reply.Rejected(ballot, promised));
    }
    RegisterState next = ballot.equals(promised) ? this : new RegisterState(ballot, accepted);
    return new Vote(next, new Reply.Promised(ballot, accepted));
  }

  /** A proposer asks to accept a value; a ballot comes with one value only. */
  public Vote accept(Ballot ballot, byte[] value) {
    if (promised != null && promised.isAfter(ballot)) {
      return new Vote(this, new Reply.Rejected(ballot, promised));
    }
    boolean repeated = accepted != null && accepted.ballot().equals(ballot);
    RegisterState next =
        repeated ? this : new RegisterState(ballot, new AcceptedValue(ballot, value));
    return new Vote(next, new Reply.Accepted(ballot));
  }
}
