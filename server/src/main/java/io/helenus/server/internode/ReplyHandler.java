package io.helenus.server.internode;

import java.lang.foreign.MemorySegment;

/**
 * Waits for the reply to requests. Exactly one method is called for each request that was sent,
 * unless it is forgotten; on the thread of the link's shard. None may throw.
 */
public interface ReplyHandler {
  /**
   * The peer has replied.
   *
   * @param tag the number that the request was sent with
   * @param body valid during the call only
   * @param length 0 if the request was acknowledged
   */
  void replied(int tag, MemorySegment body, long offset, int length);

  /**
   * The peer has refused the request.
   *
   * @param code the reason: {@link InboundLink#NOT_REPLIED} or one of the users
   * @param text the reason as a text
   */
  void failed(int tag, byte code, String text);

  /** The link was closed before a reply; whether the request was carried out is unknown. */
  void broken(int tag);
}
