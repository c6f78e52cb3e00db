package io.helenus.server.consensus;

import java.util.Comparator;
import java.util.UUID;

/**
 * Names one attempt to have a value chosen, and orders the attempts of all proposers. No two
 * attempts have the same ballot: a proposer never repeats a time within a life. Immutable.
 *
 * @param micros about when the attempt began, in microseconds since 1970
 * @param hostId the proposing node
 * @param life which of the node's runs it is
 */
public record Ballot(long micros, UUID hostId, long life) implements Comparable<Ballot> {
  private static final Comparator<Ballot> ORDER =
      Comparator.comparingLong(Ballot::micros)
          .thenComparing(Ballot::hostId)
          .thenComparingLong(Ballot::life);

  @Override
  public int compareTo(Ballot other) {
    return ORDER.compare(this, other);
  }

  /** Whether this one comes after another. */
  public boolean isAfter(Ballot other) {
    return compareTo(other) > 0;
  }
}
