package io.helenus.server.protocol;

/**
 * The limits of one connection.
 *
 * @param maxFrameBytes the largest message body accepted
 * @param maxInFlightRequests the maximum number of requests in flight; further ones wait
 * @param maxInFlightBytes the maximum number of bytes of requests in flight; further requests wait
 * @param maxHeldEvents the maximum number of events waiting for a response or a slow client; one
 *     more closes the connection
 */
public record ConversationSettings(
    int maxFrameBytes, int maxInFlightRequests, long maxInFlightBytes, int maxHeldEvents) {
  /** Cassandra's frame size, and enough requests in flight for drivers with one connection. */
  public static final ConversationSettings DEFAULT =
      new ConversationSettings(16 << 20, 4096, 64L << 20, 1024);
}
