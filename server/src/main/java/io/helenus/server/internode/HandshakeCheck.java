package io.helenus.server.internode;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether to talk to a node: another cluster, a node that is no member, an older life, and
 * the own host id (a copied data directory, or the node itself) are reasons not to. Asked on both
 * sides of a link, on the threads of the shards.
 */
@FunctionalInterface
public interface HandshakeCheck {
  /** Null if the node is accepted; otherwise why not, as a text for the logs of both nodes. */
  @Nullable String refusal(NodeIdentity peer);
}
