package io.helenus.server.metadata;

import io.helenus.server.consensus.RegisterState;
import java.util.UUID;

/** Visits the contents of a metadata log file in order. Offsets are in bytes. */
public interface MetadataVisitor {
  /** The state that the file starts with. */
  void snapshot(long offset, ClusterState state);

  /** The host id of the node whose log it is, after the snapshot if that does not say it. */
  void hostId(long offset, UUID hostId);

  /** What the node has promised and accepted for the slot that follows. */
  void vote(long offset, long slot, RegisterState state);

  /** An entry with its index in the log. */
  void entry(long offset, long index, Proposal proposal);
}
