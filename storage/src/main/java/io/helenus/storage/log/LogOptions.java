package io.helenus.storage.log;

import io.helenus.storage.engine.StorageOptions.SyncMode;

/**
 * What a shard's log is made with. Immutable.
 *
 * @param logId of this start and shard
 * @param syncMode when a record counts as safe
 * @param syncPeriodNanos between syncs in periodic mode; the window in group mode
 * @param segmentBytes of each segment, a multiple of 8
 * @param machineRun names the run of the machine
 */
public record LogOptions(
    long logId, SyncMode syncMode, long syncPeriodNanos, int segmentBytes, byte[] machineRun) {
  /** The smallest segment that makes sense. */
  public static final int SMALLEST_SEGMENT_BYTES = 4096;

  /** Checks. */
  public LogOptions {
    if (segmentBytes < SMALLEST_SEGMENT_BYTES || segmentBytes % RecordFormat.ALIGNMENT_BYTES != 0) {
      throw new IllegalArgumentException("a commit log segment of " + segmentBytes + " bytes");
    }
    machineRun = machineRun.clone();
  }

  /** The longest payload that a record may have: a record never crosses a segment. */
  public int payloadLimitBytes() {
    return segmentBytes - SegmentHeader.BYTES - RecordFormat.HEADER_BYTES;
  }
}
