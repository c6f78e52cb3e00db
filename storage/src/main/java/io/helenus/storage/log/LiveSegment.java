package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Reads the records of a segment of a log that is in use, while later ones are written. The segment
 * must be complete. If it is released meanwhile, its file is deleted or reused, which raises {@link
 * IOException}. Blocks; used once, by one thread.
 */
public final class LiveSegment {
  private static final int CHUNK_BYTES = 256 << 10;

  private final FileSystem files;
  private final String path;
  private final ByteWriter bytes;
  private final Crc32c checksum = new Crc32c();
  private long windowStart;

  /** Takes memory for a part of the file from these segments. */
  public LiveSegment(FileSystem files, long logId, int sequence, LargeSegments segments) {
    this.files = files;
    path = LogFiles.livePath(logId, sequence);
    bytes = ByteWriter.recycling(segments, CHUNK_BYTES);
  }

  /** Passes all records to a visitor. */
  public void read(LogReplay.Visitor visitor) throws IOException {
    try (FileSystem.File file = files.open(path)) {
      fill(file, 0, SegmentHeader.BYTES);
      read(file, SegmentHeader.read(bytes.segment(), bytes.size(), path), visitor);
    } finally {
      bytes.clear(0);
    }
  }

  private void read(FileSystem.File file, SegmentHeader header, LogReplay.Visitor visitor)
      throws IOException {
    long at = SegmentHeader.BYTES;
    while (at + RecordFormat.HEADER_BYTES <= header.sizeBytes()) {
      fill(file, at, RecordFormat.HEADER_BYTES);
      MemorySegment segment = bytes.segment();
      long offset = at - windowStart;
      int field = Bytes.getInt(segment, offset + RecordFormat.LENGTH_OFFSET);
      int payload = RecordFormat.payloadBytes(field);
      int recordBytes = RecordFormat.recordBytes(payload);
      if (Bytes.getInt(segment, offset + RecordFormat.SEGMENT_ID_OFFSET) != header.segmentId()
          || Bytes.getInt(segment, offset + RecordFormat.GENERATION_OFFSET) != header.generation()
          || payload < 0
          || recordBytes > header.sizeBytes() - at) {
        throw invalid(at);
      }
      fill(file, at, recordBytes);
      segment = bytes.segment();
      offset = at - windowStart;
      int covered = RecordFormat.HEADER_BYTES - RecordFormat.LENGTH_OFFSET + payload;
      if (checksum.of(segment, offset + RecordFormat.LENGTH_OFFSET, covered)
          != Bytes.getInt(segment, offset)) {
        throw invalid(at);
      }
      if (field == RecordFormat.END_MARK) {
        return;
      }
      RecordFormat.visit(
          visitor, header.logId(), LogPosition.of(header.sequence(), at), segment, offset, field);
      at += recordBytes;
    }
  }

  private IOException invalid(long at) {
    return new IOException(path + " has no valid record at offset " + at);
  }

  /** Makes sure that the window contains this many bytes from an offset on. */
  private void fill(FileSystem.File file, long at, int length) throws IOException {
    if (at + length <= windowStart + bytes.size() && bytes.size() > 0) {
      return;
    }
    int wanted = Math.max(length, CHUNK_BYTES);
    bytes.clear().reserve(wanted);
    long read = file.read(at, bytes.segment(), 0, wanted);
    windowStart = at;
    bytes.truncate((int) Math.max(0, read));
    if (read < length) {
      throw invalid(at);
    }
  }
}
