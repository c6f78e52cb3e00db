package io.helenus.server.query.value;

/**
 * One step of checking the values of a statement. Plans list their steps in the order in which
 * Cassandra looks at values; they are interpreted only for a statement that was refused, so that of
 * several mistakes the client is told the one that Cassandra reports.
 */
@FunctionalInterface
public interface ValueCheck {
  /** What a step that found no mistake means for the statement. */
  enum Outcome {
    /** The next step decides. */
    CONTINUE,
    /** The statement has nothing to do; Cassandra does not look at the remaining values. */
    NOTHING_TO_DO,
    /** Cassandra does not look at the remaining values and runs the statement. */
    RUNS
  }

  /**
   * Binds the values of this step and checks them.
   *
   * @throws io.helenus.server.error.CqlException the mistake in them
   */
  Outcome check(ValueWalk values);
}
