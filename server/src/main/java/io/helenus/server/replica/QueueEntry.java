package io.helenus.server.replica;

import io.helenus.server.error.CqlError;

/**
 * A write in the queue of its partition, or other work that no write may run into. It acts itself
 * when its turn has come. On the thread of the partition's shard.
 */
interface QueueEntry {
  /** Begins its turn; false if it is too late for the client, who has been answered then. */
  default boolean begin() {
    return true;
  }

  /** Whether it has a turn of its own, which no other entry is part of. */
  default boolean hasOwnTurn() {
    return false;
  }

  /**
   * Does its part of the turn: reads with the turn, adds a mutation to it, and lets it report the
   * outcome.
   *
   * @return false if it has to wait. Then it is run again when {@link PartitionTurn#run} is called,
   *     which it must have arranged; that may happen before this returns
   */
  boolean run(PartitionTurn turn);

  /** It gets no turn, or nothing of it is written. */
  void refused(CqlError error);
}
