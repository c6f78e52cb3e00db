package io.helenus.storage.log;

import io.helenus.storage.engine.StorageOptions.SyncMode;

/**
 * The options of a shard's log. Immutable.
 *
 * @param logId of this start and shard
 * @param syncMode when a record counts as durable
 * @param syncPeriodNanos time between syncs in periodic mode; the window in group mode
 * @param segmentBytes of each segment, a multiple of 8
 * @param bootId identifies the current boot of the machine
 */
public record LogOptions(
    long logId, SyncMode syncMode, long syncPeriodNanos, int segmentBytes, byte[] bootId) {
  /** The minimum size of a segment. */
  public static final int SMALLEST_SEGMENT_BYTES = 4096;

  /** Validates and copies. */
  public LogOptions {
    if (segmentBytes < SMALLEST_SEGMENT_BYTES || segmentBytes % RecordFormat.ALIGNMENT_BYTES != 0) {
      throw new IllegalArgumentException(
          "invalid commit log segment size: " + segmentBytes + " bytes");
    }
    bootId = bootId.clone();
  }

  /** The maximum length of a record's payload: a record never crosses a segment. */
  public int payloadLimitBytes() {
    return segmentBytes - SegmentHeader.BYTES - RecordFormat.HEADER_BYTES;
  }
}
