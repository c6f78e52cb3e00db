package io.helenus.server.transport;

import io.helenus.server.protocol.ConversationSettings;

/**
 * The bounds of the transport.
 *
 * @param conversation the bounds of one connection
 * @param maxConnections connections in all; one more is closed at once
 * @param maxConnectionsPerAddress connections from one address; one more is closed at once
 * @param maxInFlightBytes bytes of requests in flight in all, shared out equally to the loops
 * @param startupTimeoutMillis how long a connection may go without a finished STARTUP
 * @param unfinishedMessageTimeoutMillis how long a message that has begun to arrive may wait for
 *     its next byte
 * @param backlog connections that the kernel holds until they are accepted
 */
public record TransportSettings(
    ConversationSettings conversation,
    int maxConnections,
    int maxConnectionsPerAddress,
    long maxInFlightBytes,
    long startupTimeoutMillis,
    long unfinishedMessageTimeoutMillis,
    int backlog) {
  /** What holds where the configuration says nothing. */
  public static final TransportSettings DEFAULT =
      new TransportSettings(
          ConversationSettings.DEFAULT, 16_384, 16_384, 256L << 20, 30_000, 60_000, 1024);
}
