package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;

/**
 * A raw read in progress (storage/docs/raw-read.md): what this replica sends to a coordinator that
 * reads several. Shard thread only. Call {@link #advance} until it returns DONE.
 */
public interface RawCursor extends AutoCloseable {
  /**
   * Appends to the reply until it ends or has to pause; always with the same writer, which the
   * caller owns. DONE means that the reply is whole, whether or not it is complete to the end of
   * the request. WAITING and YIELD are as for a {@link ReadCursor}.
   *
   * @throws StorageException if a file cannot be read or is damaged
   * @throws TombstoneLimitException if the read encounters more tombstones than its request allows
   */
  ReadCursor.Status advance(ByteWriter reply);

  /** Sets the continuation of a WAITING cursor, as {@link ReadCursor#whenReady} does. */
  void whenReady(Runnable continuation);

  /**
   * Whether the reply ends because there is no more, rather than at a position or with all that
   * follows. After DONE.
   */
  boolean isComplete();

  /** The number of live rows in the reply so far. Valid until the cursor is closed. */
  int rowsRead();

  /** The number of tombstones read so far, as {@link ReadCursor#tombstonesRead}. */
  int tombstonesRead();

  /**
   * The files read, as {@link RowSink#sources} says; 0 if an index finds the rows. From DONE on.
   */
  default int filesRead() {
    return 0;
  }

  /** The blocks read of these files. */
  default int blocksRead() {
    return 0;
  }

  /** The size of these blocks, uncompressed. */
  default long blockBytesRead() {
    return 0;
  }

  /** Releases blocks and snapshot. Idempotent. */
  @Override
  void close();
}
