package io.helenus.server.metadata;

/** Takes the contents of a file of the metadata log in their order. Offsets are bytes. */
public interface MetadataVisitor {
  /** The state that the file starts with. */
  void snapshot(long offset, ClusterState state);

  /** An entry, and its index in the log. */
  void entry(long offset, long index, MetadataLog.Proposal proposal);
}
