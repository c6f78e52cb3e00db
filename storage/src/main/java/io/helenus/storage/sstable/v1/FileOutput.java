package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.Lz4;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes a file sequentially through a buffer, block by block. One thread. */
final class FileOutput {
  private static final int CAPACITY_BYTES = 256 * 1024;

  /** Leaves room for one more block. */
  private static final int BUFFER_BYTES = CAPACITY_BYTES - 2 * Layout.BLOCK_BYTES;

  private final FileSystem.File file;
  private final @Nullable Lz4 lz4;
  private final ByteWriter buffer;
  private final Crc32c crc = new Crc32c();
  private long flushed;

  FileOutput(FileSystem.File file, @Nullable Lz4 lz4, LargeSegments segments) {
    this.file = file;
    this.lz4 = lz4;
    buffer = ByteWriter.recycling(segments, CAPACITY_BYTES);
  }

  /** Releases its memory. */
  void close() {
    buffer.clear(0);
  }

  /** The position of the next byte. */
  long position() {
    return flushed + buffer.size();
  }

  /** The buffer: append to it, then call {@link #flushIfLarge}. */
  ByteWriter buffer() {
    return buffer;
  }

  /** The checksum of the buffer from an offset on. */
  int crcSince(int bufferOffset) {
    return crc.of(buffer.segment(), bufferOffset, buffer.size() - bufferOffset);
  }

  /** Appends a block; returns its stored length. */
  int writeBlock(ByteWriter contents) throws IOException {
    long position = position();
    int start = buffer.size();
    int length = contents.size();
    buffer.putByte(Layout.COMPRESSION_NONE).putInt(length);
    if (lz4 == null || !compress(lz4, contents, start)) {
      buffer.putBytes(contents.segment(), 0, length);
    }
    crc.reset().update(position).update(buffer.segment(), start, buffer.size() - start);
    buffer.putInt(crc.value());
    int stored = buffer.size() - start;
    flushIfLarge();
    return stored;
  }

  private boolean compress(Lz4 codec, ByteWriter contents, int start) {
    int length = contents.size();
    int at = buffer.reserve(Lz4.compressedLimit(length));
    int compressed = codec.compress(contents.segment(), 0, length, buffer.segment(), at);
    if (compressed > length - length / 8) {
      buffer.truncate(at);
      return false;
    }
    buffer.truncate(at + compressed);
    buffer.setByte(start, Layout.COMPRESSION_LZ4);
    return true;
  }

  void flushIfLarge() throws IOException {
    if (buffer.size() >= BUFFER_BYTES) {
      flush();
    }
  }

  /** Writes the buffered bytes. */
  void flush() throws IOException {
    file.write(flushed, buffer.segment(), 0, buffer.size());
    flushed += buffer.size();
    buffer.clear(CAPACITY_BYTES);
  }

  /** Appends a section that is complete in memory; returns its checksum. */
  int writeSection(MemorySegment section, long length) throws IOException {
    flush();
    file.write(flushed, section, 0, length);
    flushed += length;
    crc.reset();
    for (long at = 0; at < length; at += BUFFER_BYTES) {
      crc.update(section.asSlice(at), 0, (int) Math.min(BUFFER_BYTES, length - at));
    }
    return crc.value();
  }

  void sync() throws IOException {
    flush();
    file.sync();
  }
}
