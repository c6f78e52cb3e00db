package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;

/**
 * Accepts the response to one request. Exactly one of {@link #respond} and {@link #respondError} is
 * called, once, on the event loop of the connection. After that the exchange is reused for another
 * request and must not be touched. Responses to a closed connection are dropped silently.
 */
public interface Exchange {
  /** The version of the native protocol to encode the response for. */
  int protocolVersion();

  /** The stream id of the request. */
  int streamId();

  /** Whether the client asked for the request to be traced. */
  boolean tracingRequested();

  /**
   * A cleared writer for the body of the response, shared by all requests of the event loop: valid
   * until the handler returns or the body of another exchange is requested.
   */
  ByteWriter body();

  /** Sends the response. The body is copied before this returns. */
  void respond(int opcode, ByteWriter body);

  /**
   * Sends a response whose body is {@code head} followed by chunks, which the exchange takes over:
   * it gives them back as they are sent, or if the response is dropped. An exchange without a
   * client appends them.
   */
  default void respond(int opcode, ByteWriter head, ByteChunks rest) {
    while (!rest.isEnd()) {
      rest.take(Integer.MAX_VALUE, head);
    }
    respond(opcode, head);
  }

  /** Sends an error response. */
  void respondError(CqlError error);

  /** Adds a warning to the response; dropped in v3, which has no warnings. */
  void warn(String text);

  /** Adds the id of the trace (a version 1 uuid) to the response. */
  void tracingId(long mostSignificantBits, long leastSignificantBits);

  /**
   * Sets a task that cancels the request if the connection closes before the response. It runs at
   * most once, on the event loop of the connection. The request must still be responded to, which
   * ends the exchange; the response is dropped.
   */
  void onDisconnect(Runnable cancellation);

  /**
   * Holds back events for this connection until this response has been sent. Called before a schema
   * change starts, so that its client receives RESULT before EVENT.
   */
  void holdEvents();
}
