package io.helenus.server.coordinator;

import io.helenus.server.cluster.Member;
import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Access to the replicas on other nodes. One per shard; its thread. What is sent is copied before a
 * call returns. A reply arrives in a later task, at most once, and not after {@link #forget}.
 */
public interface RemoteReplicas {
  /** The id of a request that could not be sent: no reply follows. */
  long NOT_SENT = -1;

  /** Of a node without others. */
  RemoteReplicas NONE =
      new RemoteReplicas() {
        @Override
        public long write(
            Member to,
            long token,
            MemorySegment mutation,
            int length,
            long remainingNanos,
            int replica,
            Reply reply) {
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
            int replica,
            Reply reply) {
          return NOT_SENT;
        }

        @Override
        public void forget(Member to, long id) {
          throw new IllegalStateException("nothing was sent to " + to);
        }

        @Override
        public byte @Nullable [] address(Member member) {
          return null;
        }
      };

  /** Receives the replies of an operation's replicas. */
  interface Reply {
    /**
     * A replica has done what it was sent.
     *
     * @param body what it replied, valid during the call
     */
    void replied(int replica, MemorySegment body, long offset, int length);

    /**
     * A replica has refused what it was sent, and has not done any of it.
     *
     * @param reason a RequestFailureReason of the native protocol
     * @param text why, for an operator
     */
    void refused(int replica, int reason, String text);

    /** The link to a replica is broken: what it did is unknown, and no reply follows. */
    void broken(int replica);
  }

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
   * @param remainingNanos how long the reply is waited for
   * @param replica the number that the reply names
   * @return the id of the request, or {@link #NOT_SENT}
   */
  long write(
      Member to,
      long token,
      MemorySegment mutation,
      int length,
      long remainingNanos,
      int replica,
      Reply reply);

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
      int replica,
      Reply reply);

  /** Waits for a reply no longer. */
  void forget(Member to, long id);

  /** The address of a member, 4 or 16 bytes, for errors; null if it is not known. */
  byte @Nullable [] address(Member member);
}
