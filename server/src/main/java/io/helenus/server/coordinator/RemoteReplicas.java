package io.helenus.server.coordinator;

import io.helenus.server.cluster.Member;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Access to the replicas on other nodes. One per shard; its thread. What is sent is copied before a
 * call returns. A reply arrives in a later task, at most once, and not after {@link #forget}.
 */
public interface RemoteReplicas {
  /** The id of a request that could not be sent: no reply follows. */
  long NOT_SENT = Link.NOT_SENT;

  /** Of a node without others. */
  RemoteReplicas NONE =
      new RemoteReplicas() {
        @Override
        public long write(
            Member to,
            long token,
            MemorySegment mutation,
            long offset,
            int length,
            boolean repair,
            long remainingNanos,
            int tag,
            ReplyHandler reply) {
          return NOT_SENT;
        }

        @Override
        public long read(
            Member to,
            long firstToken,
            long lastToken,
            ReadRequest request,
            Read kind,
            int maxBytes,
            long remainingNanos,
            int tag,
            ReplyHandler reply) {
          return NOT_SENT;
        }

        @Override
        public void forget(Member to, long id) {
          throw new IllegalStateException("nothing was sent to " + to);
        }

        @Override
        public @Nullable InetSocketAddress address(Member member) {
          return null;
        }

        @Override
        public @Nullable InetSocketAddress localAddress() {
          return null;
        }
      };

  /** What is read of a replica. */
  enum Read {
    /** The entries, with their deletions. */
    DATA,
    /** A digest of what DATA would be. */
    DIGEST
  }

  /**
   * Sends a mutation of one partition.
   *
   * @param repair whether it is what a read has found that the replica lacks
   * @param remainingNanos how long the reply is waited for
   * @param tag handed to the handler of the reply, for instance the number of the replica
   * @return the id of the request, or {@link #NOT_SENT}
   */
  long write(
      Member to,
      long token,
      MemorySegment mutation,
      long offset,
      int length,
      boolean repair,
      long remainingNanos,
      int tag,
      ReplyHandler reply);

  /**
   * Reads what the replica has of the partitions with tokens from the first to the last, inclusive.
   *
   * @param maxBytes how much of it is wanted at most; a reply says how far it comes
   * @return the id of the request, or {@link #NOT_SENT}
   */
  long read(
      Member to,
      long firstToken,
      long lastToken,
      ReadRequest request,
      Read kind,
      int maxBytes,
      long remainingNanos,
      int tag,
      ReplyHandler reply);

  /** Waits for a reply no longer. */
  void forget(Member to, long id);

  /** Where a member listens to others, for errors; resolved, or null if it is not known. */
  @Nullable InetSocketAddress address(Member member);

  /** Where this node listens to others, for errors; resolved, or null if it has no others. */
  @Nullable InetSocketAddress localAddress();
}
