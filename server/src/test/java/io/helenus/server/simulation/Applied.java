package io.helenus.server.simulation;

/** A change that may have been applied to a partition. Compared by identity. */
final class Applied {
  final Change change;

  /** The second by which it had certainly reached the node; unknown while it is in flight. */
  long arrivedBySeconds = Long.MAX_VALUE;

  Applied(Change change) {
    this.change = change;
  }

  @Override
  public String toString() {
    return change.toString();
  }
}
