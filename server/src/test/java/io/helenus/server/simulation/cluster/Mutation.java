package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Write.Part;

/** The effect of a write on one partition, and what is known of its outcome. */
final class Mutation {
  final Part part;
  final long submittedNanos;

  /** How many replicas have it since when. */
  final Knowledge known = new Knowledge();

  /** Nothing happened, as the client was told. */
  boolean refused;

  /** A repair may have brought parts of it to a replica. */
  boolean mayBeTorn;

  Mutation(Part part, long submittedNanos) {
    this.part = part;
    this.submittedNanos = submittedNanos;
  }

  @Override
  public String toString() {
    return part.write().cql;
  }
}
