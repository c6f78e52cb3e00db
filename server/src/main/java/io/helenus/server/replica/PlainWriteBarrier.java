package io.helenus.server.replica;

/**
 * Waits for the plain writes of a shard, those in progress outside its queues, that began before
 * some moment. A plain write may be to a table that has got its first view since: until the write
 * is visible, no change of the view can be computed from the rows.
 *
 * <p>Raising the barrier divides the plain writes by generations: those that have begun are waited
 * for, those that begin afterwards are not. A barrier that is raised again while it is up waits for
 * all that have begun by then. Pure; one thread at a time.
 */
final class PlainWriteBarrier {
  private int generation;

  /** How many writes of the present generation are in progress. */
  private int present;

  /** How many writes of all earlier generations are in progress. */
  private int earlier;

  /** A plain write begins; returns its generation, which is for {@link #end}. */
  int begin() {
    present++;
    return generation;
  }

  /**
   * A plain write has ended: it is visible, or refused.
   *
   * @param of the generation in which it began
   * @return whether the barrier was up and has been lifted by this
   */
  boolean end(int of) {
    if (of == generation) {
      if (present == 0) {
        throw new IllegalStateException("no plain write is in progress");
      }
      present--;
      return false;
    }
    if (of < 0 || of > generation || earlier == 0) {
      throw new IllegalStateException("no plain write of generation " + of + " is in progress");
    }
    earlier--;
    return earlier == 0;
  }

  /** Raises the barrier for the plain writes in progress, if there are any. */
  void raise() {
    if (present > 0) {
      earlier += present;
      present = 0;
      generation++;
    }
  }

  /** Whether a write is waited for. */
  boolean isUp() {
    return earlier > 0;
  }
}
