package io.helenus.server.metadata;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The file that records the limit below which server timestamps may have been used
 * (docs/timestamps.md). Two slots are written in turn, so that a torn write leaves the other one
 * intact. Blocks; one thread at a time.
 */
final class TimestampFile implements AutoCloseable {
  static final String PATH = "timestamps";

  private static final int FILE_BYTES = 2 * TimestampSlot.BYTES;

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

  /** The number of the last record; 0 if there is none. */
  long sequence() {
    return sequence;
  }

  private void read() throws IOException {
    List<TimestampSlot> slots = readSlots(PATH, file, checksum);
    for (TimestampSlot slot : slots) {
      complete |= slot.state() == TimestampSlot.State.VALID;
      if (slot.sequence() > sequence) {
        sequence = slot.sequence();
        reservedMicros = slot.reservedMicros();
      }
    }
    if (!complete && slots.stream().anyMatch(s -> s.state() == TimestampSlot.State.INVALID)) {
      throw new MetadataException(
          "the file "
              + PATH
              + " is damaged at offset 0: neither of its slots is valid. If the clock of this"
              + " machine is right and was right when the node last ran, delete the file");
    }
  }

  /**
   * Reads the slots. A file whose creation was never synced may be too short and has none; then no
   * timestamp has been used.
   *
   * @throws MetadataException if a record has an unknown format version
   */
  static List<TimestampSlot> readSlots(String path, FileSystem.File file, Crc32c checksum)
      throws IOException {
    if (file.size() < FILE_BYTES) {
      return List.of();
    }
    ByteWriter contents = new ByteWriter(FILE_BYTES);
    contents.reserve(FILE_BYTES);
    MemorySegment bytes = contents.segment();
    if (file.read(0, bytes, 0, FILE_BYTES) != FILE_BYTES) {
      throw new IOException(path + " was truncated while it was read");
    }
    return List.of(
        TimestampSlot.read(path, bytes, 0, checksum),
        TimestampSlot.read(path, bytes, TimestampSlot.BYTES, checksum));
  }

  /** Records a reservation and syncs it. */
  void write(long newReservedMicros) throws IOException {
    ByteWriter bytes = new ByteWriter(FILE_BYTES);
    long next = sequence + 1;
    bytes
        .putLong(TimestampSlot.MAGIC)
        .putInt(TimestampSlot.VERSION)
        .putLong(next)
        .putLong(newReservedMicros);
    bytes.putInt(checksum.of(bytes.segment(), 0, TimestampSlot.CHECKSUM_OFFSET));
    while (bytes.size() < (complete ? TimestampSlot.BYTES : FILE_BYTES)) {
      bytes.putByte(0);
    }
    long position = complete ? (sequence & 1) * TimestampSlot.BYTES : 0;
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
