package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * CRC-32C (Castagnoli) over slices. Caches a view of the last segment, so that checksums over
 * slices of one segment allocate nothing. One thread at a time.
 */
public final class Crc32c {
  private final CRC32C sum = new CRC32C();
  private @Nullable MemorySegment viewed;
  private @Nullable ByteBuffer view;

  /** The checksum of one slice. */
  public int of(MemorySegment segment, long offset, int length) {
    return reset().update(segment, offset, length).value();
  }

  /** Resets the checksum. */
  public Crc32c reset() {
    sum.reset();
    return this;
  }

  /** Adds a slice. */
  @SuppressWarnings("ReferenceEquality") // only whether the cached view may be used
  public Crc32c update(MemorySegment segment, long offset, int length) {
    ByteBuffer buffer = view;
    if (buffer == null || viewed != segment) {
      buffer = segment.asByteBuffer();
      view = buffer;
      viewed = segment;
    }
    int at = (int) offset;
    buffer.limit(at + length).position(at);
    sum.update(buffer);
    return this;
  }

  /** Adds the eight bytes of a number. */
  public Crc32c update(long number) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      sum.update((int) (number >>> shift) & 0xFF);
    }
    return this;
  }

  /** The checksum of everything added since the last reset. */
  public int value() {
    return (int) sum.getValue();
  }
}
