package io.helenus.server.query.value;

/**
 * One step in checking the values of a statement. The checks of a plan are in the order in which
 * Cassandra checks values. They run only for a statement that was rejected, so that of several
 * mistakes the client sees the one that Cassandra reports.
 */
@FunctionalInterface
public interface ValueCheck {
  /** How to continue after a step that found no mistake. */
  enum Outcome {
    /** Continue with the next step. */
    CONTINUE,
    /** Stop: the statement has no effect, and Cassandra ignores the remaining values. */
    NOTHING_TO_DO,
    /** Stop: Cassandra runs the statement without checking the remaining values. */
    RUNS
  }

  /**
   * Binds and checks the values of this step.
   *
   * @throws io.helenus.server.error.CqlException if a value is rejected
   */
  Outcome check(ValueWalk values);
}
