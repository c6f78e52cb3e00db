package io.helenus.server.transport;

import io.helenus.server.protocol.ConversationSettings;

/**
 * The limits of the transport.
 *
 * @param conversation the limits of one connection
 * @param maxConnections the maximum number of open connections; further ones are closed at once
 * @param maxConnectionsPerAddress the maximum number of open connections from one address
 * @param maxInFlightBytes the maximum number of bytes of requests in flight, divided equally among
 *     the event loops
 * @param maxTextBytes the greatest size of the texts of a request
 * @param startupTimeoutMillis how long a new connection may take to become ready
 * @param unfinishedMessageTimeoutMillis how long to wait for the next byte of an unfinished message
 * @param backlog the maximum number of connections that the kernel queues until they are accepted
 */
public record TransportSettings(
    ConversationSettings conversation,
    int maxConnections,
    int maxConnectionsPerAddress,
    long maxInFlightBytes,
    long maxTextBytes,
    long startupTimeoutMillis,
    long unfinishedMessageTimeoutMillis,
    int backlog) {
  /** The defaults. */
  public static final TransportSettings DEFAULT =
      new TransportSettings(
          ConversationSettings.DEFAULT, 16_384, 16_384, 256L << 20, 16 << 20, 30_000, 60_000, 1024);
}
