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
 * The compressions that a client may ask for. Stateless but for what their libraries keep; any
 * thread.
 */
public sealed interface Compression {
  /** Appends the compressed form of a slice, as it stands in a frame of v3 and v4. */
  void compress(MemorySegment source, int offset, int length, ByteWriter out);

  /**
   * Appends what a compressed frame body of v3 and v4 holds; a protocol error when it is damaged or
   * says that it holds more than the limit. The said length is checked before anything of that size
   * is allocated.
   */
  void decompress(MemorySegment source, int offset, int length, ByteWriter out, int limitBytes);

  /** LZ4 blocks; before the block of a frame its plain length in four bytes. */
  record Lz4(LZ4Compressor compressor, LZ4SafeDecompressor decompressor) implements Compression {
    /** With the fastest implementation that the platform has. */
    public static Lz4 create() {
      LZ4Factory factory = LZ4Factory.fastestInstance();
      return new Lz4(factory.fastCompressor(), factory.safeDecompressor());
    }

    @Override
    public void compress(MemorySegment source, int offset, int length, ByteWriter out) {
      out.putInt(length);
      compressBlock(source, offset, length, out);
    }

    /** Appends a block without a length; returns the block's size in bytes. */
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
        throw CqlException.protocol("A compressed body of " + length + " bytes lacks its length");
      }
      int plainLength = Bytes.getInt(source, offset);
      requireWithin(plainLength, limitBytes);
      decompressBlock(source, offset + 4, length - 4, out, plainLength);
    }

    /** Appends what a block holds, which is exactly so many bytes or an error. */
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
        throw CqlException.protocol("A compressed body is damaged: " + e.getMessage());
      }
      if (size != plainLength) {
        throw CqlException.protocol(
            "A compressed body holds " + size + " bytes instead of " + plainLength);
      }
    }
  }

  /** Snappy, without framing. Netty's encoder refers back over no more than a block. */
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

    /** How many bytes the number takes that the encoder puts before each block. */
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
          throw CqlException.protocol(
              "A compressed body holds "
                  + plain.readableBytes()
                  + " bytes instead of "
                  + plainLength);
        }
        out.putBytes(plain.array(), plain.arrayOffset(), plainLength);
      } catch (DecompressionException | IndexOutOfBoundsException | IllegalArgumentException e) {
        throw CqlException.protocol("A compressed body is damaged: " + e.getMessage());
      } finally {
        plain.release();
      }
    }

    /** The number that every Snappy block starts with: 7 bits a byte, lowest first. */
    private static int plainLength(MemorySegment source, int offset, int length) {
      long value = 0;
      for (int i = 0; i < Math.min(5, length); i++) {
        int part = Bytes.getUnsignedByte(source, offset + i);
        value |= (part & 0x7FL) << 7 * i;
        if (part < 0x80) {
          return (int) Math.min(value, Integer.MAX_VALUE);
        }
      }
      throw CqlException.protocol("A compressed body of " + length + " bytes lacks its length");
    }
  }

  private static void requireWithin(int plainLength, int limitBytes) {
    if (plainLength < 0 || plainLength > limitBytes) {
      throw CqlException.protocol(
          "A compressed body says that it holds "
              + Integer.toUnsignedString(plainLength)
              + " bytes; at most "
              + limitBytes
              + " are allowed");
    }
  }
}
