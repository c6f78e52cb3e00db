package io.helenus.server.metadata;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The file that records the limit below which server timestamps may have been used
 * (docs/timestamps.md). Two slots are written in turn, so that a torn write leaves the other one
 * intact. Blocks; one thread at a time.
 */
final class TimestampFile implements AutoCloseable {
  static final String PATH = "timestamps";

  private static final long MAGIC = 0x484C_4E54_494D_4500L;
  private static final int VERSION = 1;
  private static final int SLOT_BYTES = 512;
  private static final int FILE_BYTES = 2 * SLOT_BYTES;
  private static final int CHECKSUM_OFFSET = 28;

  private final FileSystem files;
  private final Crc32c checksum = new Crc32c();
  private final FileSystem.File file;
  private boolean complete;
  private long sequence;
  private long reservedMicros = Long.MIN_VALUE;

  private TimestampFile(FileSystem files, FileSystem.File file) {
    this.files = files;
    this.file = file;
  }

  /**
   * Opens and reads the file, or creates it.
   *
   * @throws MetadataException if neither slot is valid
   */
  static TimestampFile open(FileSystem files) throws IOException {
    boolean exists = files.exists(PATH);
    TimestampFile opened = new TimestampFile(files, exists ? files.open(PATH) : files.create(PATH));
    try {
      if (exists) {
        opened.read();
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * The end of the reservation: timestamps below it may have been used; Long.MIN_VALUE if none was
   * ever reserved.
   */
  long reservedMicros() {
    return reservedMicros;
  }

  /** A file whose creation was never synced may be empty; then no timestamp has been used. */
  private void read() throws IOException {
    long size = file.size();
    if (size < FILE_BYTES) {
      return;
    }
    ByteWriter contents = new ByteWriter(FILE_BYTES);
    int at = contents.reserve(FILE_BYTES);
    MemorySegment bytes = contents.segment();
    if (file.read(0, bytes, at, FILE_BYTES) != FILE_BYTES) {
      throw new IOException(PATH + " was truncated while it was read");
    }
    boolean blank = true;
    for (int slot = 0; slot < 2; slot++) {
      readSlot(bytes, at + slot * SLOT_BYTES);
      blank &= isBlank(bytes, at + slot * SLOT_BYTES);
    }
    if (!complete && !blank) {
      throw new MetadataException(
          "the file "
              + PATH
              + " is damaged at offset 0: neither of its slots is valid. If the clock of this"
              + " machine is right and was right when the node last ran, delete the file");
    }
  }

  private void readSlot(MemorySegment bytes, long at) {
    if (Bytes.getLong(bytes, at) != MAGIC
        || Bytes.getInt(bytes, at + CHECKSUM_OFFSET) != checksum.of(bytes, at, CHECKSUM_OFFSET)) {
      return;
    }
    int version = Bytes.getInt(bytes, at + 8);
    if (version != VERSION) {
      throw new MetadataException(
          "the file " + PATH + " has the unknown format version " + version);
    }
    complete = true;
    long found = Bytes.getLong(bytes, at + 12);
    if (found > sequence) {
      sequence = found;
      reservedMicros = Bytes.getLong(bytes, at + 20);
    }
  }

  private static boolean isBlank(MemorySegment bytes, long at) {
    for (int i = 0; i < SLOT_BYTES; i++) {
      if (Bytes.getByte(bytes, at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Records a reservation and syncs it. */
  void write(long newReservedMicros) throws IOException {
    ByteWriter bytes = new ByteWriter(FILE_BYTES);
    long next = sequence + 1;
    bytes.putLong(MAGIC).putInt(VERSION).putLong(next).putLong(newReservedMicros);
    bytes.putInt(checksum.of(bytes.segment(), 0, CHECKSUM_OFFSET));
    while (bytes.size() < (complete ? SLOT_BYTES : FILE_BYTES)) {
      bytes.putByte(0);
    }
    long position = complete ? (sequence & 1) * SLOT_BYTES : 0;
    file.write(position, bytes.segment(), 0, bytes.size());
    file.sync();
    if (!complete) {
      files.syncFolder("");
      complete = true;
    }
    sequence = next;
    reservedMicros = newReservedMicros;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
