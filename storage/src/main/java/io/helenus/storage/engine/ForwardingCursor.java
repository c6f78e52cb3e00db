package io.helenus.storage.engine;

/**
 * A cursor that delegates to another one, for subclasses that watch or change some of its calls.
 * Threading as of the other one.
 */
public class ForwardingCursor implements ReadCursor {
  private final ReadCursor cursor;

  /** Delegates to this cursor. */
  public ForwardingCursor(ReadCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public Status advance(RowSink sink) {
    return cursor.advance(sink);
  }

  @Override
  public void whenReady(Runnable continuation) {
    cursor.whenReady(continuation);
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
  public void close() {
    cursor.close();
  }
}
