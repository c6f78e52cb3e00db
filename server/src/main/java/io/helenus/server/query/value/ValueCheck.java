package io.helenus.server.query.value;

/**
 * One step in checking the values of a statement. The checks of a plan are listed in the order in
 * which Cassandra checks values and run only for a statement that was refused, so that of several
 * mistakes the client is told the one that Cassandra reports.
 */
@FunctionalInterface
public interface ValueCheck {
  /** How checking continues after a step that found no mistake. */
  enum Outcome {
    /** With the next step. */
    CONTINUE,
    /** Not at all: the statement has nothing to do and Cassandra ignores the remaining values. */
    NOTHING_TO_DO,
    /** Not at all: Cassandra runs the statement without checking the remaining values. */
    RUNS
  }

  /**
   * Binds and checks the values of this step.
   *
   * @throws io.helenus.server.error.CqlException if one is refused
   */
  Outcome check(ValueWalk values);
}
