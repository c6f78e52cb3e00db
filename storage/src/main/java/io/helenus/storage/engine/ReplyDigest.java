package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import java.lang.foreign.MemorySegment;

/** The digest of a data reply: storage/docs/raw-read.md. Stateless; any thread. */
public final class ReplyDigest {
  /** The length of a digest. */
  public static final int BYTES = 1 + 2 * Long.BYTES;

  private static final int VERSION = 1;

  private ReplyDigest() {}

  /** Appends the digest of a reply, which is in native memory. */
  public static void put(MemorySegment reply, long offset, long length, ByteWriter out) {
    long[] halves = of(reply, offset, length);
    out.putByte(VERSION).putLong(halves[0]).putLong(halves[1]);
  }

  /** The halves of that digest, the low one first. */
  public static long[] of(MemorySegment reply, long offset, long length) {
    return Hashing.xxh3Of128Bits(reply, offset, length);
  }

  /** Whether bytes are a digest as this release makes it. */
  public static boolean isOne(MemorySegment segment, long offset, long length) {
    return length == BYTES && Bytes.getByte(segment, offset) == VERSION;
  }

  /** The low half of a digest. */
  public static long low(MemorySegment digest, long offset) {
    return Bytes.getLong(digest, offset + 1);
  }

  /** The high half of a digest. */
  public static long high(MemorySegment digest, long offset) {
    return Bytes.getLong(digest, offset + 1 + Long.BYTES);
  }
}
