package io.helenus.storage.manifest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes edits: storage/docs/manifest.md. Stateless. */
final class EditCodec {
  private static final int COUNTERS = 1;
  private static final int FILE_ADDED = 2;
  private static final int FILE_REMOVED = 3;
  private static final int FLUSHED = 4;
  private static final int TABLE_FORGOTTEN = 5;
  private static final int LOG_FORGOTTEN = 6;
  private static final int TRUNCATED = 7;
  private static final int COUNTER_SHARE = 8;
  private static final int OPTIONAL = 0x80;

  private EditCodec() {}

  static void write(List<Change> changes, ByteWriter out) {
    ByteWriter body = new ByteWriter(128);
    for (Change change : changes) {
      body.clear();
      int kind = writeBody(change, body);
      out.putByte(kind).putVarint(body.size()).putBytes(body.segment(), 0, body.size());
    }
  }

  private static int writeBody(Change change, ByteWriter body) {
    return switch (change) {
      case Change.Counters counters -> {
        body.putVarint(counters.nextFileNumber());
        yield COUNTERS;
      }
      case Change.FileAdded(LiveFile file) -> {
        body.putVarint(file.number()).putVarint(file.tableId()).putVarint(file.level());
        body.putVarint(file.sizeBytes()).putLong(file.repairedAtMicros());
        body.putLong(file.pendingRepairHigh()).putLong(file.pendingRepairLow());
        body.putLong(file.firstToken()).putLong(file.lastToken());
        yield FILE_ADDED;
      }
      case Change.FileRemoved removed -> {
        body.putVarint(removed.number());
        yield FILE_REMOVED;
      }
      case Change.Flushed flushed -> {
        body.putVarint(flushed.tableId()).putLong(flushed.logId());
        body.putLong(flushed.firstToken()).putLong(flushed.lastToken());
        body.putLong(flushed.position());
        yield FLUSHED;
      }
      case Change.TableForgotten forgotten -> {
        body.putVarint(forgotten.tableId());
        yield TABLE_FORGOTTEN;
      }
      case Change.LogForgotten forgotten -> {
        body.putLong(forgotten.logId());
        yield LOG_FORGOTTEN;
      }
      case Change.Truncated(int tableId, long atMicros, long epoch) -> {
        body.putVarint(tableId).putLong(atMicros);
        if (epoch > 0) {
          body.putLong(epoch);
        }
        yield TRUNCATED;
      }
      case Change.CounterShare(ShareId id, boolean atRisk) -> {
        body.putLong(id.high()).putLong(id.low()).putByte(atRisk ? 1 : 0);
        yield COUNTER_SHARE;
      }
    };
  }

  /**
   * Decodes an edit, whose checksum has been verified: an unknown kind must come from a newer
   * version.
   */
  static List<Change> read(MemorySegment bytes, long offset, long length) {
    List<Change> changes = new ArrayList<>();
    Reader reader = new Reader(bytes, offset);
    long end = offset + length;
    while (reader.at < end) {
      int kind = Bytes.getUnsignedByte(bytes, reader.at++);
      long bodyBytes = reader.varint();
      long next = reader.at + bodyBytes;
      if ((kind & OPTIONAL) == 0) {
        changes.add(readBody(kind, reader, next));
      }
      reader.at = next;
    }
    return changes;
  }

  private static Change readBody(int kind, Reader in, long bodyEnd) {
    return switch (kind) {
      case COUNTERS -> new Change.Counters(in.varint());
      case FILE_ADDED ->
          new Change.FileAdded(
              new LiveFile(
                  in.varint(),
                  (int) in.varint(),
                  (int) in.varint(),
                  in.varint(),
                  in.i64(),
                  in.i64(),
                  in.i64(),
                  in.i64(),
                  in.i64()));
      case FILE_REMOVED -> new Change.FileRemoved(in.varint());
      case FLUSHED -> new Change.Flushed((int) in.varint(), in.i64(), in.i64(), in.i64(), in.i64());
      case TABLE_FORGOTTEN -> new Change.TableForgotten((int) in.varint());
      case LOG_FORGOTTEN -> new Change.LogForgotten(in.i64());
      case TRUNCATED ->
          new Change.Truncated((int) in.varint(), in.i64(), in.at < bodyEnd ? in.i64() : 0);
      case COUNTER_SHARE ->
          new Change.CounterShare(new ShareId(in.i64(), in.i64()), in.varint() != 0);
      default ->
          throw new IllegalArgumentException(
              "unknown change kind " + kind + "; it was written by a newer version");
    };
  }

  private static final class Reader {
    private final MemorySegment bytes;
    private long at;

    Reader(MemorySegment bytes, long at) {
      this.bytes = bytes;
      this.at = at;
    }

    long varint() {
      long value = Bytes.getVarint(bytes, at);
      at = Bytes.varintEnd(bytes, at);
      return value;
    }

    long i64() {
      long value = Bytes.getLong(bytes, at);
      at += 8;
      return value;
    }
  }
}
