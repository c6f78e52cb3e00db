package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A log of one segment whose records are collected in memory and written at once: the file appears
 * whole and durable, or not at all. So every record says that the log was durable up to its end,
 * and an invalid one is damage. One thread at a time.
 */
public final class WholeLog {
  private static final int FIRST_BYTES = 16 << 10;
  private static final int FILE_NUMBER = 1;

  /** The end of the only segment. */
  private static final long END = LogPosition.of(1, 0);

  private final long logId;
  private final byte[] bootId;
  private final ByteWriter records;
  private final Crc32c checksum = new Crc32c();
  private int recordAt;

  /**
   * A log without records.
   *
   * @param bootId identifies the current boot of the machine
   * @param segments provide the memory for the records
   */
  public WholeLog(long logId, byte[] bootId, LargeSegments segments) {
    this.logId = logId;
    this.bootId = bootId.clone();
    this.records = ByteWriter.recycling(segments, FIRST_BYTES);
  }

  private SegmentHeader header() {
    return new SegmentHeader(
        logId, FILE_NUMBER, 1, 0, SegmentHeader.BYTES + records.size(), bootId);
  }

  /** Starts a record; its mutation is to be appended to the returned writer, then {@link #end}. */
  public ByteWriter begin() {
    recordAt = records.size();
    RecordFormat.begin(records, 0, header(), END);
    return records;
  }

  /** Completes a record. */
  public void end() {
    int payload = records.size() - recordAt - RecordFormat.HEADER_BYTES;
    records.setInt(recordAt + RecordFormat.LENGTH_OFFSET, payload);
    RecordFormat.end(records, recordAt, checksum);
  }

  /** The size of the records in bytes. */
  public int sizeBytes() {
    return records.size();
  }

  /** Removes the records that a condition on their number, from 0 on, does not admit. */
  public void retain(IntPredicate admitted) {
    MemorySegment bytes = records.segment();
    int kept = 0;
    int at = 0;
    for (int i = 0; at < records.size(); i++) {
      int length = RecordFormat.recordBytes(Bytes.getInt(bytes, at + RecordFormat.LENGTH_OFFSET));
      if (admitted.test(i)) {
        MemorySegment.copy(bytes, at, bytes, kept, length);
        kept += length;
      }
      at += length;
    }
    records.truncate(kept);
  }

  /**
   * Writes the log, durably. If that fails, there may be the whole log or a file with a free
   * segment's name, which the next start deletes.
   */
  public LogFiles.OldLog write(FileSystem files) throws IOException {
    RecordFormat.begin(records, RecordFormat.END_MARK, header(), END);
    RecordFormat.end(records, records.size() - RecordFormat.HEADER_BYTES, checksum);
    ByteWriter head = new ByteWriter(SegmentHeader.BYTES);
    header().write(head);
    String freePath = LogFiles.freePath(logId, FILE_NUMBER);
    try (FileSystem.File file = files.create(freePath)) {
      file.write(0, head.segment(), 0, head.size());
      file.write(head.size(), records.segment(), 0, records.size());
      file.sync();
    } catch (IOException e) {
      // the disk may be full
      if (files.exists(freePath)) {
        files.delete(freePath);
      }
      throw e;
    }
    String path = LogFiles.livePath(logId, 0);
    files.rename(freePath, path);
    files.syncFolder(LogFiles.FOLDER);
    return new LogFiles.OldLog(logId, List.of(new LogFiles.OldSegment(path, 0)));
  }

  /** Releases the memory; the records are gone. */
  public void release() {
    records.release();
  }
}
