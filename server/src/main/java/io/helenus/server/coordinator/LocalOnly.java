package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;

/** What works only where this node is the only replica, until replicas can agree on it. */
public enum LocalOnly {
  /** A write with conditions. */
  CONDITION("Conditional updates"),
  /** A change of a counter. */
  INCREMENT("Increments of counters"),
  /** A write that needs the present elements of a list. */
  LIST_ELEMENT("Writes to elements of lists by index"),
  /** A batch that the batch log makes whole. */
  LOGGED_BATCH("Logged batches over several partitions"),
  /** A vector search, which works also where this node is one of several replicas of all rows. */
  NEAREST("Reads ordered by ANN");

  private final String plural;

  LocalOnly(String plural) {
    this.plural = plural;
  }

  /** Why it is refused elsewhere, and what to do. */
  public String refusal() {
    return plural
        + " are not supported yet for rows with replicas on other nodes: use a keyspace with one"
        + " replica on a single node";
  }

  CqlError error() {
    return new CqlError.Invalid(refusal());
  }
}
