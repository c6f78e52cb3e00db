package io.helenus.server.query.statement;

/** The trace of a request whose client requested one. Shard thread only. */
public interface RequestTrace {
  /** The id of its session in system_traces. */
  String id();

  /** Records an event. */
  void event(String activity);

  /**
   * Records the duration of the request, just before the response. Further calls have no effect.
   */
  void end();
}
