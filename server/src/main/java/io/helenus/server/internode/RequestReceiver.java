package io.helenus.server.internode;

import java.lang.foreign.MemorySegment;
import java.util.UUID;

/**
 * Receives what other nodes ask of a shard, on the shard's thread. No method may throw: failures of
 * a request are the receiver's to report.
 */
public interface RequestReceiver {
  /**
   * A request has arrived and its time is not over.
   *
   * @param link where the reply goes, now or later
   * @param id names the request in the reply; 0 if there is none
   * @param kind what the body is
   * @param epoch the last entry of the metadata log that the request was planned with
   * @param remainingNanos the time until its deadline
   * @param body valid during the call only
   */
  void received(
      InboundLink link,
      long id,
      byte kind,
      long epoch,
      long remainingNanos,
      MemorySegment body,
      long offset,
      int length);

  /** A node has opened a link to this shard, and was accepted. */
  void opened(InboundLink link, NodeIdentity peer);

  /** The link is closed. */
  void closed(InboundLink link, NodeIdentity peer, String reason);

  /**
   * A frame has arrived, with messages or not; called before these are received.
   *
   * @param epoch the last entry of the metadata log that the peer has applied
   */
  void heard(UUID hostId, long epoch);
}
