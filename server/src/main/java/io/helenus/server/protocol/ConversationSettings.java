package io.helenus.server.protocol;

/**
 * The bounds of one connection.
 *
 * @param maxFrameBytes the largest body of a message that is taken
 * @param maxInFlightRequests beyond these the next one waits
 * @param maxInFlightBytes beyond these bytes of requests the next one waits
 * @param maxHeldEvents events that may wait for an answer or a slow client; one more closes the
 *     connection
 */
public record ConversationSettings(
    int maxFrameBytes, int maxInFlightRequests, long maxInFlightBytes, int maxHeldEvents) {
  /** Cassandra's frame size, and room for drivers with one connection. */
  public static final ConversationSettings DEFAULT =
      new ConversationSettings(16 << 20, 4096, 64L << 20, 1024);
}
