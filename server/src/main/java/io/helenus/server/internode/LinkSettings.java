package io.helenus.server.internode;

/**
 * The limits of links.
 *
 * @param maxMessageBytes the largest body of a message; a little more than a mutation may be
 * @param maxPendingBytes how much may wait in a link until requests are not sent any more
 * @param maxReplies how many requests of a link may wait for a reply
 * @param maxUnidentified how many accepted streams may be open before their handshake
 * @param handshakeNanos how long connection and handshake may take
 * @param heartbeatNanos after how long without other frames a heartbeat is sent
 * @param silenceNanos after how long without any frame a link is closed
 * @param firstRedialNanos after how long a link is dialled again; doubles with each failure
 * @param lastRedialNanos the greatest such time
 */
public record LinkSettings(
    int maxMessageBytes,
    long maxPendingBytes,
    int maxReplies,
    int maxUnidentified,
    long handshakeNanos,
    long heartbeatNanos,
    long silenceNanos,
    long firstRedialNanos,
    long lastRedialNanos) {
  private static final int MUTATION_BYTES = 16 << 20;
  private static final int OVERHEAD_BYTES = 1 << 20;
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  /** The defaults: messages up to the largest mutation of the default configuration. */
  public static final LinkSettings DEFAULT = forMutations(MUTATION_BYTES, 2L * MUTATION_BYTES);

  /** The defaults for mutations up to a size, and links that may hold so many bytes. */
  public static LinkSettings forMutations(int largestMutationBytes, long maxPendingBytes) {
    return new LinkSettings(
        largestMutationBytes + OVERHEAD_BYTES,
        maxPendingBytes,
        1 << 16,
        256,
        10 * SECOND,
        SECOND,
        10 * SECOND,
        100 * MILLISECOND,
        2 * SECOND);
  }
}
