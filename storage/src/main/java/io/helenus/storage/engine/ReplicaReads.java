package io.helenus.storage.engine;

/**
 * Reads of several replicas (storage/docs/raw-read.md): what this one sends to a coordinator, and
 * the merge of what a coordinator gets. Shard thread only.
 */
public interface ReplicaReads {
  /**
   * Opens a cursor for the reply to a request, as of now: data, or if it names an index of terms,
   * the keys that this finds. The request must not change until the cursor is closed.
   *
   * @param limitBytes the size after which the reply ends; it may exceed that by one row
   */
  RawCursor read(ReadRequest request, int limitBytes);

  /**
   * Starts the merge of the replies of so many replicas at most, which any shard can do. The
   * request must not change until the merge is closed. If it names an index, the merge asks for
   * keys and for the rows of their union in turn.
   */
  ReplicaMerge merge(ReadRequest request, int replicas);
}
