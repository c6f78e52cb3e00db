package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.env.Clock;
import java.lang.foreign.MemorySegment;

/**
 * Access to the replica on this node, which speaks of tokens: which of the node's shards serve them
 * is its own business. Called on the shard of the request; replies arrive on the same shard,
 * possibly before the call returns. Replicas on other nodes are reached by messages.
 */
public interface ReplicaAccess {
  /**
   * How far the {@code now} of a raw read may be behind a replica's clock: compactions drop expired
   * values some time after that (storage/docs/raw-read.md).
   */
  long OLDEST_NOW_SECONDS = 300;

  /** Whether a raw read is as of a time for which replicas may not have the same values. */
  static boolean isTooOld(ReadRequest request, Clock clock) {
    return request.nowSeconds() < clock.wallSeconds() - OLDEST_NOW_SECONDS;
  }

  /** Receives the outcome of a write, once. */
  interface WriteReply {
    /**
     * The replica has applied the write.
     *
     * @param nanos how long that took on the replica's shard
     */
    void written(long nanos);

    /** The replica did not apply the write. */
    void notWritten(Exception cause);

    /**
     * The replica does not read the mutation any more, although it has not replied; only after a
     * withdrawal that came while it was reading.
     */
    default void released() {}
  }

  /** Receives the outcome of a read, once. */
  interface ReadReply {
    /**
     * The sink has received all rows, or the read has stopped before the last one.
     *
     * @param stopped whether the sink, or a limit of the request, stopped the read
     * @param rows the number of live rows read
     * @param tombstones the number of tombstones read
     * @param nanos how long the read took on the replica's shard; negative if that is the shard of
     *     the request, where it took as long as the request
     */
    void read(boolean stopped, int rows, int tombstones, long nanos);

    /**
     * What a raw read took from files, as {@link RowSink#sources} says of others. {@link #read}
     * follows.
     */
    default void sources(int files, int blocks, long bytes) {}

    /**
     * How many files a read of one partition has looked into, if that is known. {@link #read}
     * follows.
     */
    default void files(int files) {}

    /** The replica could not read. */
    void notRead(Exception cause);

    /** Whether a reply would now be too late. Called on any shard's thread. */
    default boolean isOverdue(long nowNanos) {
      return false;
    }

    /** The replica stopped reading because the reply was overdue. */
    default void timedOut() {
      throw new IllegalStateException("read without a deadline timed out");
    }

    /**
     * The replica uses neither the request nor the sink any longer: after it could not read, was
     * overdue, or stopped because of a cancellation. After a cancellation that came too late the
     * outcome says so.
     */
    default void released() {}
  }

  /** Receives the outcome of a computed write, once. */
  interface ComputedReply {
    /** The rows were durable, and the mutation, if any, is. */
    void computed(ComputedResult result);

    /** The replica could not read the rows; nothing is written. */
    void notRead(Exception cause);

    /** The replica did not write the mutation. */
    void notWritten(Exception cause);

    /** The replica did not run the write, or its computation failed; nothing is written. */
    void refused(CqlError error);

    /** Whether a reply would now be too late. Called on any shard's thread. */
    boolean isOverdue(long nowNanos);

    /** The replica did not begin because the reply was overdue; nothing is written. */
    void timedOut();
  }

  /**
   * Applies a mutation to the partition with this token. The caller must not modify the bytes until
   * the reply, or until they have been withdrawn.
   *
   * @return the handle that takes the bytes back
   */
  RunningWrite write(Shard from, long token, MemorySegment mutation, int length, WriteReply reply);

  /**
   * Computes a write, after the earlier computed writes of the partition and before the later ones.
   * The write is owned by the replica until the reply, and permanently if it is overdue.
   */
  void compute(Shard from, long token, ComputedWrite write, ComputedReply reply);

  /**
   * Reads what the request asks for of the partitions with tokens from the first to the last,
   * inclusive, in token order; the tokens of a request for one partition are equal. Request and
   * sink are owned by the replica until the reply, and permanently if the read is cancelled or
   * overdue. The sink is called by one thread after the other.
   */
  RunningRead read(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      RowSink sink,
      ReadReply reply);

  /**
   * Appends what this replica sends to a coordinator that reads several (storage/docs/raw-read.md):
   * as {@link #read}, but for the outcome, which is in the writer when the reply says that it was
   * read.
   *
   * @param limitBytes the size after which the reply ends
   */
  RunningRead readRaw(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      int limitBytes,
      ByteWriter into,
      ReadReply reply);

  /** Starts the merge of what several replicas send; on the thread of the shard. */
  ReplicaMerge merge(Shard shard, ReadRequest request, int replicas);

  /** Truncates a table. */
  void truncate(Shard from, int tableId, WriteReply reply);

  /** Which tokens are stored together, and by which threads. */
  TokenSlices slices();
}
