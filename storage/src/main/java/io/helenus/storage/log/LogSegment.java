package io.helenus.storage.log;

import io.helenus.storage.env.FileSystem;

/** An open segment. What changes belongs to the shard's thread. */
final class LogSegment {
  final FileSystem.File file;
  final SegmentHeader header;

  /** How far the file's bytes are on the disk, so that a write cannot meet a full one. */
  long allocatedBytes;

  /** Where the next record goes. */
  long endOffset = SegmentHeader.BYTES;

  /** Up to where it has been written. */
  long writtenOffset = SegmentHeader.BYTES;

  /** Whether it is among those that the next sync is for. */
  boolean dirty;

  LogSegment(FileSystem.File file, SegmentHeader header, long allocatedBytes) {
    this.file = file;
    this.header = header;
    this.allocatedBytes = allocatedBytes;
  }

  int sequence() {
    return header.sequence();
  }

  String livePath() {
    return LogFiles.livePath(header.logId(), header.sequence());
  }

  String freePath() {
    return LogFiles.freePath(header.logId(), header.segmentId());
  }
}
