package io.helenus.server.metadata;

import java.util.UUID;

/** Carries messages of the metadata log to other nodes; links implement it. Any thread. */
public interface MetadataPeers {
  /**
   * Sends a message, which {@link ReplicatedMetadataLog#received} takes there. It may be lost,
   * repeated, or arrive after later ones; nothing is reported.
   *
   * @param hostId a node, which need not be a member
   * @param message not changed any more
   */
  void send(UUID hostId, byte[] message);
}
