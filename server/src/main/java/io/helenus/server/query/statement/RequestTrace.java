package io.helenus.server.query.statement;

/** The trace of one request, when its client asks for one. Shard thread only. */
public interface RequestTrace {
  /** Something has happened. */
  void event(String activity);

  /** The request is answered: the trace gets its duration. */
  void end();
}
