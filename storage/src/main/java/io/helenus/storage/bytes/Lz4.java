package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 block format between slices of native memory. Made when first needed, for loading the codec
 * takes a while. Any thread.
 */
public final class Lz4 {
  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  /** With the fastest codec that this platform offers. */
  public Lz4() {
    LZ4Factory factory = LZ4Factory.fastestInstance();
    compressor = factory.fastCompressor();
    decompressor = factory.safeDecompressor();
  }

  /** The most bytes that so many bytes compress to. */
  public static int compressedLimit(int length) {
    return length + length / 255 + 16;
  }

  /** Compresses; returns how many bytes were written. The target has {@link #compressedLimit}. */
  public int compress(
      MemorySegment source, long offset, int length, MemorySegment target, long targetOffset) {
    ByteBuffer from = source.asSlice(offset, length).asByteBuffer();
    ByteBuffer to = target.asSlice(targetOffset).asByteBuffer();
    return compressor.compress(from, 0, length, to, 0, to.capacity());
  }

  /**
   * Decompresses exactly {@code targetLength} bytes; anything else raises {@link
   * IllegalArgumentException}. Never writes outside of the target slice.
   */
  public void decompress(
      MemorySegment source,
      long offset,
      int length,
      MemorySegment target,
      long targetOffset,
      int targetLength) {
    ByteBuffer from = source.asSlice(offset, length).asByteBuffer();
    ByteBuffer to = target.asSlice(targetOffset, targetLength).asByteBuffer();
    int written;
    try {
      written = decompressor.decompress(from, 0, length, to, 0, targetLength);
    } catch (LZ4Exception damaged) {
      throw new IllegalArgumentException("not an LZ4 block of the length it claims", damaged);
    }
    if (written != targetLength) {
      throw new IllegalArgumentException(
          "an LZ4 block of " + written + " bytes instead of " + targetLength);
    }
  }
}
