package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The merge of the data replies of several replicas to one request (storage/docs/raw-read.md),
 * which passes live rows to a sink as a read of one node does:
 *
 * <ol>
 *   <li>send {@link #nextRequest} to the replicas, and pass their replies to {@link #replies};
 *   <li>{@link #advance} until it returns WAITING: the replies end before the read does, which
 *       takes the replies to the next request; repeat. DONE and STOPPED end the read.
 * </ol>
 *
 * It holds the replies to one request at a time, and no other data. Shard thread only.
 */
public interface ReplicaMerge extends AutoCloseable {
  /**
   * What to ask the replicas next: at first the request of the read, later what follows the
   * position up to which the replies were complete. Valid until the next replies.
   */
  ReadRequest nextRequest();

  /**
   * Takes the replies to {@link #nextRequest}, each in its segment from beginning to end; one if
   * the digests of the others agree with it. They must stay valid until the next replies are taken
   * or the merge is closed.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  void replies(List<MemorySegment> replies);

  /**
   * Passes rows to the sink. DONE and STOPPED are as for a {@link ReadCursor}; WAITING asks for
   * replies to {@link #nextRequest}; YIELD is the end of a time slice.
   */
  ReadCursor.Status advance(RowSink sink);

  /**
   * What each of the replicas lacks of what the present replies say together, once {@link #advance}
   * has returned WAITING, DONE or STOPPED. Valid until the next replies are taken or the merge is
   * closed. There is nothing to compare if they are lists of keys.
   *
   * @param epoch of the mutations
   */
  ReplicaDifferences differences(long epoch);

  /** The number of live rows merged so far, static rows included. */
  int rowsRead();

  /** Releases its memory. Idempotent. */
  @Override
  void close();
}
