package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/**
 * One shard's rows: applies mutations, answers reads. Every method runs on the shard's thread.
 * Nothing here waits for a disk but the one write of {@link #endTick}.
 *
 * <p>A tick: the shard handles all that has arrived, calling {@link #apply} and {@link #read} as
 * often as it likes, then calls {@link #endTick}, and only then lets answers out, those of reads
 * too.
 */
public interface StorageEngine {
  /**
   * Told when a mutation is as durable as the sync mode asks. On the shard's thread, from within
   * {@link #endTick} or later.
   */
  interface WriteListener {
    /** The mutation is logged (and synced, in batch and group mode) and visible. */
    void written();

    /**
     * The mutation was not taken; nothing of it will be seen. The cause's message is for a person.
     */
    void notWritten(Exception cause);
  }

  /**
   * Takes one mutation (storage/docs/rows.md); the bytes are copied before this returns. In
   * periodic mode it is visible to reads at once, in batch and group mode after its sync.
   */
  void apply(MemorySegment mutation, long offset, int length, WriteListener listener);

  /**
   * Opens a cursor; it sees the rows as they are now, however long it takes. The caller closes it.
   */
  ReadCursor read(ReadRequest request);

  /**
   * Writes the tick's log records with one write and tells the listeners whose mutations are safe
   * with it.
   */
  void endTick();

  /** The block cache as it is now. */
  CacheStatistics cacheStatistics();

  /** Whether {@link #endTick} has anything to do. */
  boolean tickPending();
}
