package io.helenus.storage.engine;

/**
 * A read in progress. Shard thread only. Call {@link #advance}; when it returns WAITING, the engine
 * runs the continuation given to {@link #whenReady}, after which to advance again.
 */
public interface ReadCursor extends AutoCloseable {
  /** Why a call of advance returned. */
  enum Status {
    /** All rows have been passed to the sink. */
    DONE,
    /** The sink asked to stop. */
    STOPPED,
    /** Blocks are being loaded: wait for the continuation. */
    WAITING,
    /** The time slice is over: let other tasks run, then advance again. */
    YIELD
  }

  /**
   * Passes live rows to the sink until it has to return. A failed read raises {@link
   * StorageException}, one with too many tombstones {@link TombstoneLimitException}.
   */
  Status advance(RowSink sink);

  /**
   * Sets the continuation to run once, on the shard's thread, when a WAITING cursor can advance.
   */
  void whenReady(Runnable continuation);

  /**
   * The number of live rows read so far, static rows included, whether or not the sink used them.
   * Valid until the cursor is closed.
   */
  int rowsRead();

  /**
   * The number of tombstones read so far that are within their grace period: dead cells, deleted
   * rows, range tombstone bounds. Valid until the cursor is closed.
   */
  int tombstonesRead();

  /** Releases blocks and snapshot. Idempotent. */
  @Override
  void close();
}
