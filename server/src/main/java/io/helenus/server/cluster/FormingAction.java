package io.helenus.server.cluster;

/** What {@link Forming} wants done. Immutable. */
public sealed interface FormingAction {
  /**
   * Connect and say Hello; the outcome, which must come within a bound, is {@link Forming#answer},
   * {@link Forming#refused} or {@link Forming#noAnswer}. Names are resolved anew each time.
   */
  record Dial(Endpoint to) implements FormingAction {}

  /**
   * Make a cluster id and write the first entries of the metadata log durably; then {@link
   * Forming#founded}.
   */
  record Found() implements FormingAction {}

  /**
   * Fetch the metadata from this member; then {@link Forming#fetched} or {@link
   * Forming#fetchFailed}.
   */
  record Fetch(Endpoint from) implements FormingAction {}

  /**
   * Make durable that this node joins the cluster with its host id and tokens, and only then
   * propose it; then {@link Forming#joined} once the entry is durable here, {@link
   * Forming#joinRefused} or {@link Forming#joinUnknown}.
   */
  record Join(Endpoint via) implements FormingAction {}

  /** This node is a member; serve. Once. */
  record Open() implements FormingAction {}

  /** Log what this node waits for, or what is wrong, and go on. Not repeated while it is so. */
  record Report(String text) implements FormingAction {}

  /** Log the text, which says what to do, and stop this node. Once, and last. */
  record Stop(String text) implements FormingAction {}
}
