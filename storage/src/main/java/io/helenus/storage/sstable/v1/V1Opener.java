package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.sstable.FileMemory;
import io.helenus.storage.sstable.SstableStatistics;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Opens a file: (1) the header; (2) the tail with the footer, which locates the sections; (3) the
 * top index, statistics and log positions. The filter is loaded on first use. Everything is
 * verified before it is used. One thread.
 */
final class V1Opener {
  private static final int TAIL_BYTES = 8 * 1024;
  private static final int FOOTER_LIMIT_BYTES =
      2 + Layout.SECTION_LIMIT * Layout.SECTION_ENTRY_BYTES + 8 + Layout.FOOTER_TAIL_BYTES;
  private static final int HEADER_LIMIT_BYTES = 65_535;
  private static final long SECTION_LIMIT_BYTES = 1L << 30;

  private final FileSystem.File file;
  private final @Nullable InspectionSink sink;
  private final Crc32c crc = new Crc32c();
  private final ByteWriter buffer = new ByteWriter(TAIL_BYTES);
  private final long size;
  private int tableId;

  // section positions, lengths and checksums by type; position 0: absent
  private final long[] positions = new long[Layout.SECTION_LAST + 1];
  private final long[] lengths = new long[Layout.SECTION_LAST + 1];
  private final int[] sums = new int[Layout.SECTION_LAST + 1];

  private V1Opener(FileSystem.File file, @Nullable InspectionSink sink) throws IOException {
    this.file = file;
    this.sink = sink;
    size = file.size();
  }

  /**
   * Opens the file.
   *
   * @param sink receives a description of each part; null for none
   */
  static V1Sstable open(V1Format format, FileSystem.File file, @Nullable InspectionSink sink) {
    try {
      V1Opener opening = new V1Opener(file, sink);
      return opening.read(format);
    } catch (IOException failure) {
      throw new StorageException(file.path() + " cannot be read", failure);
    } catch (IllegalArgumentException | IndexOutOfBoundsException damage) {
      throw new StorageException(file.path() + " is damaged", damage);
    }
  }

  private V1Sstable read(V1Format format) throws IOException {
    if (size < Layout.FOOTER_TAIL_BYTES + Layout.HEADER_FIXED_BYTES) {
      throw damaged(0, "is too short for an SSTable");
    }
    readHeader();
    readFooter();
    MemorySegment statistics = section(Layout.SECTION_STATISTICS);
    if (positions[Layout.SECTION_TOP_INDEX] == 0 || statistics == null) {
      throw damaged(size, "has no index or no statistics");
    }
    MemorySegment log = section(Layout.SECTION_LOG_POSITIONS);
    byte[] logPositions = log == null ? new byte[0] : Bytes.toArray(log, 0, log.byteSize());
    MemorySegment largest = section(Layout.SECTION_LARGEST_PARTITION);
    MemorySegment sizes = largest == null ? MemorySegment.NULL : largest;
    MemorySegment partitions = section(Layout.SECTION_PARTITIONS);
    PartitionNotes notes =
        partitions == null ? PartitionNotes.NONE : PartitionsSection.read(partitions);
    SstableStatistics read = StatisticsBuilder.read(statistics, 0, sizes, notes, logPositions);
    describe(read);
    return new V1Sstable(
        format,
        file,
        size,
        tableId,
        read,
        readSection(
            file,
            positions[Layout.SECTION_TOP_INDEX],
            lengths[Layout.SECTION_TOP_INDEX],
            sums[Layout.SECTION_TOP_INDEX],
            crc,
            format.memory(),
            false),
        positions[Layout.SECTION_FILTER],
        lengths[Layout.SECTION_FILTER],
        sums[Layout.SECTION_FILTER]);
  }

  private StorageException damaged(long offset, String what) {
    return new StorageException(file.path() + " " + what + " (offset " + offset + ")");
  }

  private void load(long position, int length) throws IOException {
    buffer.clear();
    buffer.reserve(length);
    if (position < 0 || file.read(position, buffer.segment(), 0, length) != length) {
      throw damaged(position, "is truncated");
    }
  }

  private void readFooter() throws IOException {
    int tail = (int) Math.min(size, TAIL_BYTES);
    load(size - tail, tail);
    MemorySegment bytes = buffer.segment();
    int end = tail - Layout.FOOTER_TAIL_BYTES;
    if (Bytes.getLong(bytes, tail - 8) != Layout.FOOTER_MAGIC
        || Bytes.getUnsignedShort(bytes, tail - 10) != Layout.VERSION) {
      throw damaged(size - 10, "has no SSTable footer of version 1");
    }
    int length = Bytes.getInt(bytes, end);
    if (length < Layout.FOOTER_TAIL_BYTES + 10 || length > Math.min(tail, FOOTER_LIMIT_BYTES)) {
      throw damaged(size - Layout.FOOTER_TAIL_BYTES, "has a footer of invalid length");
    }
    int start = tail - length;
    if (crc.of(bytes, start, end + 4 - start) != Bytes.getInt(bytes, end + 4)) {
      throw damaged(size - length, "has a footer with a wrong checksum");
    }
    int sections = Bytes.getUnsignedShort(bytes, start);
    if (2 + sections * Layout.SECTION_ENTRY_BYTES + 8 != end - start) {
      throw damaged(size - length, "has a footer of invalid length");
    }
    for (int i = 0; i < sections; i++) {
      readSection(bytes, start + 2 + i * Layout.SECTION_ENTRY_BYTES);
    }
    describeFooter(bytes, start, sections);
  }

  private void readSection(MemorySegment bytes, int at) {
    int type = Bytes.getUnsignedShort(bytes, at);
    int flags = Bytes.getUnsignedShort(bytes, at + 2);
    if (type < 1 || type > Layout.SECTION_LAST) {
      if ((flags & Layout.SECTION_REQUIRED) != 0) {
        throw damaged(
            size, "has a section of type " + type + ", which this version does not support");
      }
      return;
    }
    positions[type] = Bytes.getLong(bytes, at + 4);
    lengths[type] = Bytes.getLong(bytes, at + 12);
    sums[type] = Bytes.getInt(bytes, at + 20);
  }

  private void readHeader() throws IOException {
    load(0, Layout.HEADER_FIXED_BYTES);
    if (Bytes.getLong(buffer.segment(), 0) != Layout.HEADER_MAGIC
        || Bytes.getUnsignedShort(buffer.segment(), 8) != Layout.VERSION) {
      throw damaged(0, "has no SSTable header of version 1");
    }
    int length = Bytes.getUnsignedShort(buffer.segment(), 10);
    if (length < Layout.HEADER_FIXED_BYTES + 6 || length > Math.min(size, HEADER_LIMIT_BYTES)) {
      throw damaged(10, "has a header of invalid length");
    }
    load(0, length);
    MemorySegment bytes = buffer.segment();
    if (crc.of(bytes, 0, length - 4) != Bytes.getInt(bytes, length - 4)) {
      throw damaged(0, "has a header with a wrong checksum");
    }
    int required = Bytes.getInt(bytes, 12);
    if ((required & ~Layout.REQUIRED_FEATURES) != 0) {
      throw damaged(12, "requires features that this version does not support: " + required);
    }
    tableId = (int) Bytes.getVarint(bytes, Layout.HEADER_FIXED_BYTES);
    describeHeader(bytes);
  }

  private void describeHeader(MemorySegment bytes) {
    if (sink == null) {
      return;
    }
    long at = Bytes.varintEnd(bytes, Layout.HEADER_FIXED_BYTES);
    int[] columns = new int[(int) Bytes.getVarint(bytes, at)];
    for (int i = 0; i < columns.length; i++) {
      at = Bytes.varintEnd(bytes, at);
      columns[i] = (int) Bytes.getVarint(bytes, at);
    }
    sink.part(
        "header",
        new Fields()
            .put("format", Bytes.getUnsignedShort(bytes, 8))
            .put("bytes", size)
            .put("required_features", Bytes.getInt(bytes, 12))
            .put("optional_features", Bytes.getInt(bytes, 16))
            .put("table_id", tableId)
            .put("column_ids", columns));
  }

  private void describeFooter(MemorySegment bytes, int start, int sections) {
    if (sink == null) {
      return;
    }
    List<Fields> described = new ArrayList<>();
    for (int i = 0; i < sections; i++) {
      int at = start + 2 + i * Layout.SECTION_ENTRY_BYTES;
      int type = Bytes.getUnsignedShort(bytes, at);
      int flags = Bytes.getUnsignedShort(bytes, at + 2);
      described.add(
          new Fields()
              .put("section", Layout.sectionName(type))
              .put("required", (flags & Layout.SECTION_REQUIRED) != 0)
              .put("offset", Bytes.getLong(bytes, at + 4))
              .put("bytes", Bytes.getLong(bytes, at + 12))
              .put("crc", String.format(Locale.ROOT, "%08x", Bytes.getInt(bytes, at + 20))));
    }
    long dataEnd = Bytes.getLong(bytes, start + 2 + sections * Layout.SECTION_ENTRY_BYTES);
    sink.part("footer", new Fields().put("data_end", dataEnd).put("sections", described));
  }

  private void describe(SstableStatistics statistics) {
    if (sink != null) {
      sink.part("statistics", statistics.describe());
    }
  }

  /** A section that is needed only while the file is opened. */
  private @Nullable MemorySegment section(int type) throws IOException {
    if (positions[type] == 0) {
      return null;
    }
    checkLength(file, positions[type], lengths[type]);
    MemorySegment bytes = Arena.ofAuto().allocate(Math.max(1, lengths[type]), 8);
    return read(file, positions[type], bytes.asSlice(0, lengths[type]), sums[type], crc);
  }

  private static void checkLength(FileSystem.File file, long position, long length) {
    if (length < 0 || length > SECTION_LIMIT_BYTES) {
      throw new StorageException(
          file.path()
              + " has a section of invalid length "
              + length
              + " (offset "
              + position
              + ")");
    }
  }

  /** Reads a whole section into the memory of open files and verifies it. */
  static FileMemory.Section readSection(
      FileSystem.File file,
      long position,
      long length,
      int sum,
      Crc32c crc,
      FileMemory memory,
      boolean isFilter)
      throws IOException {
    checkLength(file, position, length);
    FileMemory.Section section = memory.take(length, isFilter);
    try {
      MemorySegment unused = read(file, position, section.bytes(), sum, crc);
      return section;
    } catch (Throwable e) {
      memory.giveBack(section);
      throw e;
    }
  }

  private static MemorySegment read(
      FileSystem.File file, long position, MemorySegment section, int sum, Crc32c crc)
      throws IOException {
    long length = section.byteSize();
    if (file.read(position, section, 0, length) != length) {
      throw new StorageException(file.path() + " is truncated (offset " + position + ")");
    }
    if (crc.of(section, 0, (int) length) != sum) {
      throw new StorageException(
          file.path() + " has a section with a wrong checksum (offset " + position + ")");
    }
    return section;
  }
}
