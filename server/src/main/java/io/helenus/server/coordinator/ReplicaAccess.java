package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import java.lang.foreign.MemorySegment;

/**
 * How the replica on this node is reached. Called on the shard of the request; answers come back on
 * the same shard, possibly before the call returns. Other nodes' replicas are reached through
 * messages.
 */
public interface ReplicaAccess {
  /** Told once what became of a write. */
  interface WriteReply {
    /**
     * The replica has it.
     *
     * @param nanos how long that took on its shard
     */
    void written(long nanos);

    /** The replica did not take it. */
    void notWritten(Exception cause);
  }

  /** Told once what became of a read. */
  interface ReadReply {
    /**
     * The sink has been given everything, or said stop.
     *
     * @param rows how many live rows were met
     * @param tombstones how many tombstones were met
     * @param nanos how long it took on its shard; negative: the shard of the request itself, as
     *     long as the request
     */
    void read(boolean stopped, int rows, int tombstones, long nanos);

    /** The replica could not read. */
    void notRead(Exception cause);

    /** Whether an answer would come too late by now. Called on any shard's thread. */
    default boolean isOverdue(long nowNanos) {
      return false;
    }

    /** The replica stopped reading because the reply was overdue. */
    default void timedOut() {
      throw new IllegalStateException("a read without a deadline timed out");
    }
  }

  /**
   * Applies a mutation whose partition has this token. The bytes stay untouched until the reply.
   */
  void write(Shard from, long token, MemorySegment mutation, int length, WriteReply reply);

  /**
   * Reads on the shard of a token; request and sink belong to that shard until the reply, and for
   * good when the read is cancelled or overdue.
   */
  RunningRead read(Shard from, int shard, ReadRequest request, RowSink sink, ReadReply reply);

  /** Empties a table. */
  void truncate(Shard from, int tableId, WriteReply reply);

  /** Which shard serves a token. */
  int shardOf(long token);
}
