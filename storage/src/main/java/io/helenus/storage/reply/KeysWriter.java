package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/** Writes a list of keys that an index finds (storage/docs/raw-read.md). One thread at a time. */
public final class KeysWriter {
  static final int VERSION = 1;
  static final int COMPLETE = 0;
  static final int POSITION = 1;
  static final int ALL = 2;

  private final ByteWriter out;
  private final int start;

  /** Starts a list at the end of a writer. */
  public KeysWriter(ByteWriter out) {
    this.out = out;
    start = out.size();
    out.putByte(VERSION);
  }

  /** The number of bytes written. */
  public int size() {
    return out.size() - start;
  }

  /** Adds a key. */
  public void add(ByteWriter key, int prefixLength) {
    put(key.segment(), 0, prefixLength);
    put(key.segment(), prefixLength, key.size() - prefixLength);
  }

  private void put(MemorySegment source, long offset, int length) {
    out.putVarint(length).putBytes(source, offset, length);
  }

  /** Ends the list, which is complete. */
  public void end() {
    out.putByte(0).putByte(COMPLETE);
  }

  /** Ends the list: what follows the keys before is not narrowed by the index. */
  public void endWithAll() {
    out.putByte(0).putByte(ALL);
  }

  /** Ends the list behind a key, which is that of a row, or of a whole partition. */
  public void endBehind(ByteWriter key, int prefixLength) {
    out.putByte(0).putByte(POSITION);
    put(key.segment(), 0, prefixLength);
    int length = key.size() - prefixLength;
    if (length == 1) {
      out.putVarint(2).putByte(KeyFormat.SECTION_ROWS);
    } else {
      out.putVarint(length).putBytes(key.segment(), prefixLength, length - 1);
    }
    out.putByte(KeyFormat.TAG_BOUND_AFTER);
  }
}
