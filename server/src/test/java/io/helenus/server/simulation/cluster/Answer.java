package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Row;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer to a client. */
sealed interface Answer {
  /** A code of an error of the native protocol. */
  int SERVER_ERROR = 0x0000;

  /** Too few replicas were alive, and nothing was sent to them. */
  int UNAVAILABLE = 0x1000;

  /** Too much to do. */
  int OVERLOADED = 0x1001;

  /** The node does not coordinate requests yet, or no longer. */
  int BOOTSTRAPPING = 0x1002;

  /** Too few replicas acknowledged a write in time. */
  int WRITE_TIMEOUT = 0x1100;

  /** Too few replicas answered a read in time. */
  int READ_TIMEOUT = 0x1200;

  /** Replicas failed to read. */
  int READ_FAILURE = 0x1300;

  /** Replicas failed to write. */
  int WRITE_FAILURE = 0x1500;

  /** Success without rows of the model. */
  record Done() implements Answer {}

  /**
   * Rows of the model's tables, or of others as texts.
   *
   * @param pagingState null after the last page
   */
  record Rows(List<Row> rows, List<List<String>> texts, byte @Nullable [] pagingState)
      implements Answer {}

  /** An error. */
  record Failure(int code, String message, Map<String, Object> fields) implements Answer {
    /** An error without fields. */
    Failure(int code, String message) {
      this(code, message, Map.of());
    }
  }
}
