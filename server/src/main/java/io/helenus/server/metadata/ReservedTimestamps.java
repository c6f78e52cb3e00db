package io.helenus.server.metadata;

/**
 * The write timestamps that a node may give out, in microseconds since 1970. Each is reserved
 * durably before it is used, so that the next run of the node starts above all of them. Any thread;
 * nothing here waits.
 */
public interface ReservedTimestamps {
  /** The first timestamp that no earlier run can have used. */
  long firstMicros();

  /** No timestamp at or above this may be given out yet. Rises. */
  long limitMicros();

  /** Reserves more, beside the caller, if little is left above this timestamp. */
  void extend(long aboveMicros);
}
