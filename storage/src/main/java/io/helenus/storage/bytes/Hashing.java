package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import net.openhft.hashing.LongHashFunction;
import net.openhft.hashing.LongTupleHashFunction;

/** XXH3 over slices of native memory. Stateless; any thread. */
public final class Hashing {
  private static final LongHashFunction XXH3 = LongHashFunction.xx3();

  private static final LongTupleHashFunction XXH3_128 = LongTupleHashFunction.xx128();

  private Hashing() {}

  /** The hash of a slice of a native segment, which must stay open during the call. */
  public static long xxh3(MemorySegment segment, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    return XXH3.hashMemory(segment.address() + offset, length);
  }

  /** The hash of 128 bits of a slice of a native segment, the low half first. */
  public static long[] xxh3Of128Bits(MemorySegment segment, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    return XXH3_128.hashMemory(segment.address() + offset, length);
  }
}
