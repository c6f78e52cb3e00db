package io.helenus.storage.engine;

/**
 * Reads of several replicas (storage/docs/raw-read.md): what this one sends to a coordinator, and
 * the merge of what a coordinator gets. Shard thread only.
 */
public interface ReplicaReads {
  /**
   * Opens a cursor for the data reply to a request without an index, as of now. The request must
   * not change until the cursor is closed.
   *
   * @param limitBytes the size after which the reply ends; it may exceed that by one row
   */
  RawCursor read(ReadRequest request, int limitBytes);

  /**
   * Starts the merge of the data replies of so many replicas at most, which any shard can do. The
   * request must not change until the merge is closed.
   */
  ReplicaMerge merge(ReadRequest request, int replicas);
}
