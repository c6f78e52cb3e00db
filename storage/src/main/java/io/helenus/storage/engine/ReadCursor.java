package io.helenus.storage.engine;

/**
 * A read in progress. Shard thread only. Call {@link #advance} until it returns DONE or STOPPED. If
 * it returns WAITING, the engine runs the continuation given to {@link #whenReady} once the blocks
 * are loaded; advance again from there.
 */
public interface ReadCursor extends AutoCloseable {
  /** Why {@link #advance} returned. */
  enum Status {
    /** All rows have been passed to the sink. */
    DONE,
    /**
     * The sink stopped the read, or the request's limit of rows was reached. If that counts static
     * rows alone, the last row may be one: a sink that returns it once its partition has ended has
     * not done so yet.
     */
    STOPPED,
    /** Blocks are being loaded: wait for the continuation. */
    WAITING,
    /** The time slice is over: let other tasks run, then advance again. */
    YIELD
  }

  /**
   * Passes live rows to the sink until the read ends or has to pause.
   *
   * @throws StorageException if a file cannot be read or is damaged
   * @throws TombstoneLimitException if the read encounters more tombstones than its request allows
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

  /**
   * The number of files that a read of one partition looks into; negative if it is not known, as
   * when an index finds the rows. Valid until the cursor is closed.
   */
  default int filesRead() {
    return -1;
  }

  /** Releases blocks and snapshot. Idempotent. */
  @Override
  void close();
}
