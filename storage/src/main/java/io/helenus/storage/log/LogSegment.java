package io.helenus.storage.log;

import io.helenus.storage.env.FileSystem;

/** An open segment. Its mutable state belongs to the shard's thread. */
final class LogSegment {
  final FileSystem.File file;
  final SegmentHeader header;

  /** The offset up to which disk space is allocated, so that a write cannot hit a full disk. */
  long allocatedBytes;

  /** The offset of the next record. */
  long endOffset = SegmentHeader.BYTES;

  /** The offset up to which the segment has been written. */
  long writtenOffset = SegmentHeader.BYTES;

  /** Whether the next sync has to include this segment. */
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
