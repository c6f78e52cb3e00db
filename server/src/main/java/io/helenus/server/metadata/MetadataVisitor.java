package io.helenus.server.metadata;

/** Visits the contents of a metadata log file in order. Offsets are in bytes. */
public interface MetadataVisitor {
  /** The state that the file starts with. */
  void snapshot(long offset, ClusterState state);

  /** An entry with its index in the log. */
  void entry(long offset, long index, Proposal proposal);
}
