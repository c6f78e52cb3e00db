package io.helenus.server.internode;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Learns what happens to the links of a shard, on the shard's thread. No method may throw. */
public interface LinkListener {
  /** The link can be used: both sides have accepted each other. */
  void up(Link link, NodeIdentity peer);

  /** The link is closed; requests that waited for a reply are told next. It is dialled again. */
  void down(Link link, NodeIdentity peer, String reason);

  /**
   * An attempt to open the link has failed; it is dialled again.
   *
   * @param peer who was reached; null if nobody was
   * @param reason why, as a text for the log, or the text of the refusal
   */
  void failed(Link link, @Nullable NodeIdentity peer, String reason);

  /**
   * A frame has arrived, with replies or not; called before these are handled.
   *
   * @param epoch the last entry of the metadata log that the peer has applied
   */
  void heard(UUID hostId, long epoch);
}
