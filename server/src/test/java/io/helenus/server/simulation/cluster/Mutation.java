package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Write.Part;

/** The effect of a write on one partition, and what is known of its outcome. */
final class Mutation {
  final Part part;
  final long submittedNanos;

  /** How many replicas have it since when. */
  Knowledge known = new Knowledge();

  /** When its client was answered, whatever the answer; never, if it was not. */
  long answeredNanos = Long.MAX_VALUE;

  /** It ran beside a truncation, which may have come after it: so nothing is known for certain. */
  boolean mayBeTruncated;

  /** Nothing happened, as the client was told. */
  boolean refused;

  /** A repair may have brought parts of it to a replica. */
  boolean mayBeTorn;

  Mutation(Part part, long submittedNanos) {
    this.part = part;
    this.submittedNanos = submittedNanos;
  }

  /** Nothing is known any more of who has it, and will not be but by reads. */
  void mayBeTruncated() {
    known = new Knowledge();
    mayBeTruncated = true;
  }

  @Override
  public String toString() {
    return part.write().cql;
  }
}
