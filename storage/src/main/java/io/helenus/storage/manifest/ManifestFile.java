package io.helenus.storage.manifest;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.RecordMarks;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Encodes and decodes a manifest file: storage/docs/manifest.md. One thread at a time. */
final class ManifestFile {
  static final String FOLDER = "manifest";
  static final String NAME_END = ".manifest";
  static final String NEW_NAME_END = ".new";
  private static final long MAGIC = 0x48454C454E4D414EL; // HELENMAN
  private static final int FORMAT = 1;
  private static final int HEADER_BYTES = 32;
  private static final int LENGTH_OFFSET = 1;
  private static final int CHECKSUM_OFFSET = 5;
  private static final int POSITION_OFFSET = 9;
  private static final int RECORD_HEADER_BYTES = 17;

  private ManifestFile() {}

  static String path(long number, String end) {
    String hex = Long.toHexString(number);
    return FOLDER + "/" + "0".repeat(16 - hex.length()) + hex + end;
  }

  static void writeHeader(long number, ByteWriter out) {
    out.putLong(MAGIC).putShort(FORMAT).putShort(0).putInt(HEADER_BYTES).putLong(number).putInt(0);
    out.putInt(new Crc32c().of(out.segment(), 0, HEADER_BYTES - 4));
  }

  /** Appends a record for a position in the file. */
  static void writeRecord(List<Change> changes, long position, ByteWriter out) {
    int at = out.size();
    out.putByte(RecordMarks.BEGIN).putLong(0).putLong(position);
    EditCodec.write(changes, out);
    int length = out.size() - at - RECORD_HEADER_BYTES;
    out.setInt(at + LENGTH_OFFSET, length);
    out.setInt(at + CHECKSUM_OFFSET, checksum(out.segment(), at, length));
    out.putLong(RecordMarks.END);
  }

  private static int checksum(MemorySegment bytes, long at, int length) {
    return new Crc32c()
        .update(bytes, at + LENGTH_OFFSET, 4)
        .update(bytes, at + POSITION_OFFSET, length + 8)
        .value();
  }

  /** Receives the edits of a file. */
  interface Visitor {
    /** An edit whose record begins at an offset of the file. */
    void edit(long offset, List<Change> changes);
  }

  /** Reads all edits; returns the position of the next one. */
  static long read(FileSystem.File file, Visitor visitor) throws IOException {
    long size = file.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.max(1, size), 8);
      long read = file.read(0, bytes, 0, size);
      checkHeader(file.path(), bytes, read);
      long at = HEADER_BYTES;
      while (at < read) {
        int length = validLength(bytes, at, read);
        if (length < 0) {
          checkTorn(file.path(), bytes, at, read);
          break;
        }
        visitor.edit(at, decode(file.path(), bytes, at, length));
        at += RECORD_HEADER_BYTES + length + RecordMarks.END_BYTES;
      }
      if (at == HEADER_BYTES) {
        throw damaged(file.path(), at, "no initial snapshot");
      }
      return at;
    }
  }

  private static List<Change> decode(String path, MemorySegment bytes, long at, int length) {
    try {
      return EditCodec.read(bytes, at + RECORD_HEADER_BYTES, length);
    } catch (IllegalArgumentException e) {
      throw new StorageException(
          path + " cannot be decoded at offset " + at + ": " + e.getMessage(), e);
    }
  }

  private static void checkHeader(String path, MemorySegment bytes, long size) {
    if (size < HEADER_BYTES || Bytes.getLong(bytes, 0) != MAGIC) {
      throw damaged(path, 0, "not a manifest");
    }
    int format = Bytes.getUnsignedShort(bytes, 8);
    if (format != FORMAT) {
      throw new StorageException(
          path + " has manifest format " + format + ", which this version does not support");
    }
    if (new Crc32c().of(bytes, 0, HEADER_BYTES - 4) != Bytes.getInt(bytes, HEADER_BYTES - 4)) {
      throw damaged(path, 0, "wrong header checksum");
    }
  }

  private static int validLength(MemorySegment bytes, long at, long size) {
    long room = size - at - RECORD_HEADER_BYTES - RecordMarks.END_BYTES;
    if (room < 0 || Bytes.getLong(bytes, at + POSITION_OFFSET) != at) {
      return -1;
    }
    int length = Bytes.getInt(bytes, at + LENGTH_OFFSET);
    if (length < 0 || length > room) {
      return -1;
    }
    boolean holds = checksum(bytes, at, length) == Bytes.getInt(bytes, at + CHECKSUM_OFFSET);
    return holds ? length : -1;
  }

  private static void checkTorn(String path, MemorySegment bytes, long at, long size) {
    for (long later = at + 1; later < size; later++) {
      if (validLength(bytes, later, size) >= 0) {
        throw damaged(path, at, "an invalid record is followed by valid ones");
      }
    }
    if (!RecordMarks.isTorn(bytes, at, size)) {
      throw damaged(path, at, "the last record was complete and is now corrupt");
    }
  }

  private static StorageException damaged(String path, long offset, String why) {
    return new StorageException(
        path + " is damaged at offset " + offset + ": " + why + "; restore it from a backup");
  }
}
