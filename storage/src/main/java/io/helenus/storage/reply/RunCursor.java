package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;

/** Walks forward through the entries of one reply, its stops included. One thread at a time. */
final class RunCursor extends EntryCursor {
  private final ReplyRun run;
  private final ByteWriter key = new ByteWriter(128);
  private int index;

  RunCursor(ReplyRun run) {
    this.run = run;
  }

  /** Only to the start. */
  @Override
  public Step seek(MemorySegment slice, long offset, int length, int prefix) {
    if (length > 0) {
      throw new UnsupportedOperationException();
    }
    index = -1;
    return next();
  }

  @Override
  public Step next() {
    if (index + 1 >= run.size()) {
      return Step.END;
    }
    index++;
    run.putKey(index, key);
    keySegment = key.segment();
    keyOffset = 0;
    keyLength = key.size();
    prefixLength = run.prefixLength(index);
    valueSegment = run.valueSegment(index);
    valueOffset = run.valueOffset(index);
    valueLength = run.valueLength(index);
    unchanged = 0;
    return Step.READY;
  }

  @Override
  public Step find(MemorySegment slice, long offset, int length, int prefix) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Step seekBefore(MemorySegment slice, long offset, int length, int prefix) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Step previous() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
