package io.helenus.server.simulation;

/** A change that may have been applied to a partition. Compared by identity. */
public final class Applied {
  /** What it changes. */
  public final Change change;

  /** The second by which it had certainly reached the node; unknown while it is in flight. */
  long arrivedBySeconds = Long.MAX_VALUE;

  /** A change that is under way. */
  public Applied(Change change) {
    this.change = change;
  }

  @Override
  public String toString() {
    return change.toString();
  }
}
