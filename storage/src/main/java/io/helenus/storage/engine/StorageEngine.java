package io.helenus.storage.engine;

import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores one shard's rows: applies mutations and serves reads. Every method must be called on the
 * shard's thread. None waits for a disk, except for the one write of {@link #endTick}.
 *
 * <p>In a tick the shard handles everything that has arrived, calling {@link #apply} and {@link
 * #read} any number of times, then calls {@link #endTick}, and only then sends responses, including
 * those of reads.
 */
public interface StorageEngine {
  /**
   * Receives the outcome of a mutation, on the shard's thread, from within {@link #endTick} or
   * later.
   */
  interface WriteListener {
    /**
     * The mutation is visible and as durable as the sync mode requires: logged, and in batch and
     * group mode synced.
     */
    void onDurable();

    /**
     * The mutation was refused; no part of it will ever be visible. The cause's message is for an
     * operator.
     */
    void onRefused(Exception cause);
  }

  /**
   * Applies a mutation (storage/docs/rows.md); the bytes are copied before this returns. In
   * periodic mode it is visible to reads at once, in batch and group mode after its sync.
   */
  void apply(MemorySegment mutation, long offset, int length, WriteListener listener);

  /** Opens a cursor, which sees the rows as they are now until the caller closes it. */
  ReadCursor read(ReadRequest request);

  /** Reads of several replicas; engines that only wrap others for a test need not have them. */
  default ReplicaReads replicaReads() {
    throw new UnsupportedOperationException("no reads of several replicas");
  }

  /**
   * Starts a draft of a table of this shard.
   *
   * @throws StorageException if there is no such table
   */
  Draft draft(int tableId);

  /**
   * The id of the shares that this node's increments of counters are written as; null until {@link
   * #claimCounterShare} has succeeded after a start.
   */
  @Nullable ShareId counterShare();

  /**
   * Determines the id of this node's counter shares for the rest of its run, which takes an edit of
   * the manifest. Calls back on the shard's thread, in a later task, with null or the failure.
   */
  void claimCounterShare(Consumer<? super Exception> whenDone);

  /**
   * Writes the tick's log records with one write, then notifies the listeners of mutations that are
   * as durable as the sync mode requires.
   */
  void endTick();

  /** The current statistics of the block cache. */
  CacheStatistics cacheStatistics();

  /** The current statistics of the commit log. */
  CommitLogStatistics commitLogStatistics();

  /** Whether {@link #endTick} has anything to do. */
  boolean tickPending();
}
