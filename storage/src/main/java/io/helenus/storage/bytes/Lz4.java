package io.helenus.storage.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The LZ4 block format between slices of native memory. Any thread. Create it on first use: loading
 * the codec takes a while.
 */
public final class Lz4 {
  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  /** Uses the fastest codec available on this platform. */
  public Lz4() {
    LZ4Factory factory = LZ4Factory.fastestInstance();
    compressor = factory.fastCompressor();
    decompressor = factory.safeDecompressor();
  }

  /** The maximum compressed size of {@code length} bytes. */
  public static int compressedLimit(int length) {
    return length + length / 255 + 16;
  }

  /**
   * Compresses a slice into a target with room for {@link #compressedLimit}; returns the number of
   * bytes written.
   */
  public int compress(
      MemorySegment source, long offset, int length, MemorySegment target, long targetOffset) {
    ByteBuffer from = source.asSlice(offset, length).asByteBuffer();
    ByteBuffer to = target.asSlice(targetOffset).asByteBuffer();
    return compressor.compress(from, 0, length, to, 0, to.capacity());
  }

  /**
   * Decompresses exactly {@code targetLength} bytes; any other outcome raises {@link
   * IllegalArgumentException}. Never writes outside the target slice.
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
      throw new IllegalArgumentException("malformed LZ4 block", damaged);
    }
    if (written != targetLength) {
      throw new IllegalArgumentException(
          "LZ4 block decompresses to " + written + " bytes instead of " + targetLength);
    }
  }
}
