package io.helenus.server.types;

import io.helenus.server.config.HeapLimits;
import io.helenus.server.error.CqlException;

/**
 * How much JSON may still be parsed for one value or row. A list of a few megabytes with many small
 * parts takes a hundred times its length as objects, and strings may hold further JSON. One per
 * value or row, on one thread.
 */
public final class JsonRoom {
  private final HeapLimits limits;
  private long bytes;
  private long parts;

  /** Allows JSON within these limits. */
  public JsonRoom(HeapLimits limits) {
    this.limits = limits;
    this.bytes = limits.bytes();
    this.parts = limits.parts();
  }

  /** Allows what the heap of the process has room for. */
  public static JsonRoom ofProcess() {
    return new JsonRoom(HeapLimits.OF_PROCESS);
  }

  /**
   * Checks that there is room for a text of this size, before it is put on the heap.
   *
   * @throws CqlException INVALID if there is not
   */
  public void requireText(long textBytes) {
    if (textBytes > bytes) {
      throw tooLarge();
    }
  }

  /**
   * Takes room for a text.
   *
   * @throws CqlException INVALID if there is not as much
   */
  void takeText(String text) {
    long size = HeapLimits.bytes(text);
    requireText(size);
    bytes -= size;
  }

  /**
   * Takes room for names and values.
   *
   * @throws CqlException INVALID if there is not as much
   */
  void takeParts(int count) {
    parts -= count;
    if (parts < 0) {
      throw tooLarge();
    }
  }

  private CqlException tooLarge() {
    return CqlException.invalid(
        "The JSON of a value or row may have at most "
            + limits.bytes()
            + " bytes and "
            + limits.parts()
            + " names and values, as the heap is limited; bind large values to markers of their"
            + " own type, or raise memory in helenus.yaml");
  }
}
