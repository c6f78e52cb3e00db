package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
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
    out.putByte(VERSION);
    Hashing.putXxh3Of128Bits(reply, offset, length, out);
  }
}
