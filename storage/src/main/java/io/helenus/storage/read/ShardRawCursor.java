package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor.Status;

/** A raw read of a {@link ShardReadCursor}. Shard thread only. */
final class ShardRawCursor implements RawCursor {
  private final ShardReadCursor cursor;

  ShardRawCursor(ShardReadCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public Status advance(ByteWriter reply) {
    return cursor.advanceRaw(reply);
  }

  @Override
  public void whenReady(Runnable continuation) {
    cursor.whenReady(continuation);
  }

  @Override
  public boolean isComplete() {
    return cursor.isRawComplete();
  }

  @Override
  public int rowsRead() {
    return cursor.rowsRead();
  }

  @Override
  public int tombstonesRead() {
    return cursor.tombstonesRead();
  }

  @Override
  public int filesRead() {
    return cursor.filesRead();
  }

  @Override
  public int blocksRead() {
    return cursor.tally().blocks();
  }

  @Override
  public long blockBytesRead() {
    return cursor.tally().blockBytes();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
