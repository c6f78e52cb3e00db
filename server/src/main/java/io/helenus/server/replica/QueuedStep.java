package io.helenus.server.replica;

import io.helenus.server.error.CqlError;

/** A step in the queue of its partition. */
final class QueuedStep implements QueueEntry {
  private final PartitionStep step;
  private boolean ended;

  QueuedStep(PartitionStep step) {
    this.step = step;
  }

  @Override
  public boolean hasOwnTurn() {
    return true;
  }

  @Override
  public boolean run(PartitionTurn turn) {
    if (ended) {
      return true;
    }
    step.begin(
        () -> {
          ended = true;
          turn.run();
        });
    return false;
  }

  @Override
  public void refused(CqlError error) {
    step.refused(error);
  }
}
