package io.helenus.server.internode;

/**
 * What links have done since the node started: of one link or the sum of several. Immutable.
 *
 * @param framesIn received frames, heartbeats included
 * @param framesOut sent frames, heartbeats included
 * @param messagesIn received messages; each acknowledgement counts
 * @param messagesOut sent messages; each acknowledgement counts
 * @param bytesIn received bytes
 * @param bytesOut sent bytes
 * @param dropped messages that were not sent, because a limit was reached
 * @param late requests that were not carried out, because their time was over
 * @param lateReplies replies that nobody waited for any more
 * @param connections how often a link was opened
 * @param largeOut sent messages that were too large to share a frame with another
 * @param heartbeatsOut sent frames without messages
 */
public record LinkCounts(
    long framesIn,
    long framesOut,
    long messagesIn,
    long messagesOut,
    long bytesIn,
    long bytesOut,
    long dropped,
    long late,
    long lateReplies,
    long connections,
    long largeOut,
    long heartbeatsOut) {
  /** Nothing counted. */
  public static final LinkCounts NONE = new LinkCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The sum of two. */
  public LinkCounts plus(LinkCounts other) {
    return new LinkCounts(
        framesIn + other.framesIn,
        framesOut + other.framesOut,
        messagesIn + other.messagesIn,
        messagesOut + other.messagesOut,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        dropped + other.dropped,
        late + other.late,
        lateReplies + other.lateReplies,
        connections + other.connections,
        largeOut + other.largeOut,
        heartbeatsOut + other.heartbeatsOut);
  }
}
