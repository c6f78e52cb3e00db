package io.helenus.server.replica;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import org.jspecify.annotations.Nullable;

/**
 * Work in the queue of a partition that has a turn of its own: while it goes on, no write changes
 * the partition's rows or what views show of them. On the thread of the partition's shard.
 */
sealed interface QueueStep extends QueueEntry permits BuildStep, VerifyStep {
  /** Begins; runs an action when the turn is over. */
  void start(Runnable whenOver);

  /** Ends without or after its turn, with the reason if it failed. */
  void end(@Nullable Exception cause);

  @Override
  default boolean begin() {
    return true;
  }

  @Override
  default long waitedNanos() {
    return 0;
  }

  @Override
  default void durable(int turnSize) {
    throw new IllegalStateException("a step is not part of a turn of writes");
  }

  @Override
  default void notWritten(Exception cause) {
    end(cause);
  }

  @Override
  default void refused(CqlError error) {
    end(new CqlException(error));
  }
}
