package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;

/**
 * One request's way back. Exactly one of {@link #respond} and {@link #respondError} is called,
 * once, on the event loop of the connection; after that the exchange belongs to another request and
 * must not be touched. When the client has gone, answers are dropped silently.
 */
public interface Exchange {
  /** The version of the native protocol that the answer is encoded for. */
  int protocolVersion();

  /** The client's number for the request. */
  int streamId();

  /** Whether the client asks for a trace. */
  boolean tracingRequested();

  /**
   * A cleared writer for the answer's body, shared by all requests of the event loop: good until
   * the handler returns or another exchange's body is asked for.
   */
  ByteWriter body();

  /** Answers. The body is copied before this returns. */
  void respond(int opcode, ByteWriter body);

  /** Answers with an error. */
  void respondError(CqlError error);

  /** Adds a warning to the answer; dropped in v3, which has none. */
  void warn(String text);

  /** The trace's id (a version 1 uuid), to go with the answer. */
  void tracingId(long mostSignificantBits, long leastSignificantBits);

  /**
   * What to run when the connection closes before the answer, so that work nobody waits for can be
   * cancelled. It runs on the event loop of the connection, at most once, and must answer all the
   * same, if only with an error that is dropped.
   */
  void onDisconnect(Runnable cancellation);

  /**
   * Holds back the events for this connection until this answer has gone out: called before a
   * schema change begins, so that its client sees RESULT before EVENT.
   */
  void holdEvents();
}
