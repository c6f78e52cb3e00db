package io.helenus.server.metadata;

/**
 * The write timestamps that a node may assign, in microseconds since 1970. They are reserved
 * durably before use, so that the next run of the node starts above all of them. Any thread; never
 * blocks.
 */
public interface ReservedTimestamps {
  /** The first timestamp that no previous run can have used. */
  long firstMicros();

  /** The exclusive upper limit of the timestamps that may be used now. Never decreases. */
  long limitMicros();

  /** Reserves more in the background if little is left above this timestamp. */
  void extend(long aboveMicros);
}
