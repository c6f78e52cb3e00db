package io.helenus.storage.engine;

/**
 * A read under way. Shard thread only. Call {@link #advance}; when it says WAITING the engine will
 * run the continuation given to {@link #whenReady}, after which to advance again.
 */
public interface ReadCursor extends AutoCloseable {
  /** Where a call of advance stopped. */
  enum Status {
    /** All rows have been handed to the sink. */
    DONE,
    /** The sink asked to stop. */
    STOPPED,
    /** Blocks are missing and being loaded: wait for the continuation. */
    WAITING,
    /** The time slice is used up: let others go first, then advance again. */
    YIELD
  }

  /**
   * Goes on handing live rows to the sink until one of the stops. A failed read raises {@link
   * StorageException}, one with too many tombstones {@link TombstoneLimitException}.
   */
  Status advance(RowSink sink);

  /** The continuation to run, once, on the shard's thread, when a WAITING cursor can go on. */
  void whenReady(Runnable continuation);

  /**
   * How many live rows were read so far, static rows included, whatever the sink made of them. Good
   * until the cursor is closed.
   */
  int rowsRead();

  /**
   * How many deletions were met so far that are not yet past their grace: dead cells, rows that are
   * deleted, bounds of deleted ranges. Good until the cursor is closed.
   */
  int tombstonesRead();

  /** Frees pins and snapshot. Idempotent. */
  @Override
  void close();
}
