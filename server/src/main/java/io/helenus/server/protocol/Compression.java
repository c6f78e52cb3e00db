package io.helenus.server.protocol;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.Snappy;
import java.lang.foreign.MemorySegment;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The compression algorithms that a client can choose. Stateless apart from internal state of the
 * libraries; any thread.
 */
public sealed interface Compression {
  /** Appends the compressed form of a slice, as the body of a v3 or v4 frame. */
  void compress(MemorySegment source, int offset, int length, ByteWriter out);

  /**
   * Appends the decompressed body of a v3 or v4 frame.
   *
   * @throws CqlException a protocol error when the body is corrupt or its declared length exceeds
   *     the limit; the declared length is checked before memory is allocated for it
   */
  void decompress(MemorySegment source, int offset, int length, ByteWriter out, int limitBytes);

  /** LZ4 blocks. In a frame, the uncompressed length (4 bytes) precedes the block. */
  record Lz4(LZ4Compressor compressor, LZ4SafeDecompressor decompressor) implements Compression {
    /** Uses the fastest implementation for the platform. */
    public static Lz4 create() {
      LZ4Factory factory = LZ4Factory.fastestInstance();
      return new Lz4(factory.fastCompressor(), factory.safeDecompressor());
    }

    @Override
    public void compress(MemorySegment source, int offset, int length, ByteWriter out) {
      out.putInt(length);
      compressBlock(source, offset, length, out);
    }

    /** Appends a block without its length; returns its size in bytes. */
    int compressBlock(MemorySegment source, int offset, int length, ByteWriter out) {
      int at = out.reserve(compressor.maxCompressedLength(length));
      int size =
          compressor.compress(
              source.asByteBuffer(),
              offset,
              length,
              out.segment().asByteBuffer(),
              at,
              out.size() - at);
      out.truncate(at + size);
      return size;
    }

    @Override
    public void decompress(
        MemorySegment source, int offset, int length, ByteWriter out, int limitBytes) {
      if (length < 4) {
        throw missingLength(length);
      }
      int plainLength = Bytes.getInt(source, offset);
      requireWithin(plainLength, limitBytes);
      decompressBlock(source, offset + 4, length - 4, out, plainLength);
    }

    /** Appends the decompressed block; a length other than the expected one is an error. */
    void decompressBlock(
        MemorySegment source, int offset, int length, ByteWriter out, int plainLength) {
      int at = out.reserve(plainLength);
      int size = -1;
      try {
        size =
            decompressor.decompress(
                source.asByteBuffer(),
                offset,
                length,
                out.segment().asByteBuffer(),
                at,
                plainLength);
      } catch (LZ4Exception e) {
        throw corrupt(e);
      }
      if (size != plainLength) {
        throw wrongLength(size, plainLength);
      }
    }
  }

  /** Snappy without framing, encoded in blocks because Netty's encoder is limited to one. */
  record SnappyBlocks() implements Compression {
    private static final int BLOCK_BYTES = 32_767;

    @Override
    public void compress(MemorySegment source, int offset, int length, ByteWriter out) {
      out.putVarint(length);
      ByteBuf plain = Unpooled.wrappedBuffer(source.asSlice(offset, length).asByteBuffer());
      ByteBuf compressed = Unpooled.buffer(32 + BLOCK_BYTES + BLOCK_BYTES / 6);
      try {
        Snappy snappy = new Snappy();
        while (plain.isReadable()) {
          int block = Math.min(BLOCK_BYTES, plain.readableBytes());
          snappy.encode(plain.readSlice(block), compressed.clear(), block);
          snappy.reset();
          int skipped = lengthBytes(block);
          out.putBytes(
              compressed.array(),
              compressed.arrayOffset() + skipped,
              compressed.readableBytes() - skipped);
        }
      } finally {
        compressed.release();
      }
    }

    /** The size of the length that the encoder writes before each block. */
    private static int lengthBytes(int length) {
      return length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : 3;
    }

    @Override
    public void decompress(
        MemorySegment source, int offset, int length, ByteWriter out, int limitBytes) {
      int plainLength = plainLength(source, offset, length);
      requireWithin(plainLength, limitBytes);
      ByteBuf compressed = Unpooled.wrappedBuffer(source.asSlice(offset, length).asByteBuffer());
      ByteBuf plain = Unpooled.buffer(plainLength, Math.max(1, plainLength));
      try {
        new Snappy().decode(compressed, plain);
        if (plain.readableBytes() != plainLength || compressed.isReadable()) {
          throw wrongLength(plain.readableBytes(), plainLength);
        }
        out.putBytes(plain.array(), plain.arrayOffset(), plainLength);
      } catch (DecompressionException | IndexOutOfBoundsException | IllegalArgumentException e) {
        throw corrupt(e);
      } finally {
        plain.release();
      }
    }

    /** The uncompressed length at the start of Snappy data: a little-endian varint. */
    private static int plainLength(MemorySegment source, int offset, int length) {
      long value = 0;
      for (int i = 0; i < Math.min(5, length); i++) {
        int part = Bytes.getUnsignedByte(source, offset + i);
        value |= (part & 0x7FL) << 7 * i;
        if (part < 0x80) {
          return (int) Math.min(value, Integer.MAX_VALUE);
        }
      }
      throw missingLength(length);
    }
  }

  private static CqlException missingLength(int bodyBytes) {
    return CqlException.protocol(
        "A compressed body of " + bodyBytes + " bytes is too short for its uncompressed length");
  }

  private static CqlException corrupt(RuntimeException cause) {
    return CqlException.protocol("Corrupt compressed body: " + cause.getMessage());
  }

  private static CqlException wrongLength(int actual, int declared) {
    return CqlException.protocol(
        "A compressed body decompresses to " + actual + " bytes, but declares " + declared);
  }

  private static void requireWithin(int plainLength, int limitBytes) {
    if (plainLength < 0 || plainLength > limitBytes) {
      throw CqlException.protocol(
          "A compressed body declares "
              + Integer.toUnsignedString(plainLength)
              + " uncompressed bytes; the limit is "
              + limitBytes);
    }
  }
}
