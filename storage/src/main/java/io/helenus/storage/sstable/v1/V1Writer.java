package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.bytes.Lz4;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import io.helenus.storage.sstable.SstableWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes a file as specified in storage/docs/sstable.md. One thread. */
final class V1Writer implements SstableWriter {
  private final Options options;
  private final FileOutput out;
  private final BlockBuilder block;
  private final BlockBuilder index;
  private final BlockBuilder top;
  private final FilterBuilder filter;
  private final StatisticsBuilder statistics = new StatisticsBuilder();
  private final BoundView bound = new BoundView();
  private final ElementView element = new ElementView();

  private int lastPrefix;
  // shortest keys separating the current block and index block from what precedes them
  private final ByteWriter blockSeparator = new ByteWriter(256);
  private final ByteWriter indexSeparator = new ByteWriter(256);
  private final ByteWriter handle = new ByteWriter(32);
  private final ByteWriter filterKey = new ByteWriter(256);

  private long partitionTimestamp = RowFormat.NO_TIMESTAMP;
  private long partitionSeconds;
  private long openTimestamp = RowFormat.NO_TIMESTAMP;
  private long openSeconds;
  private boolean partitionHasBounds;

  V1Writer(
      FileSystem.File file,
      Options options,
      @Nullable Lz4 lz4,
      SlabPool slabs,
      LargeSegments segments) {
    this.options = options;
    block = new BlockBuilder(segments, options.index());
    index = new BlockBuilder(segments);
    top = new BlockBuilder(segments);
    out = new FileOutput(file, lz4, segments);
    filter =
        new FilterBuilder(
            options.bloomFalsePositiveChance(), options.expectedEntries(), slabs, segments);
    index.begin(RowFormat.NO_TIMESTAMP, 0, RowFormat.NO_TIMESTAMP, 0);
    top.begin(RowFormat.NO_TIMESTAMP, 0, RowFormat.NO_TIMESTAMP, 0);
    writeHeader();
  }

  private void writeHeader() {
    ByteWriter buffer = out.buffer();
    buffer.putLong(Layout.HEADER_MAGIC).putShort(Layout.VERSION).putShort(0);
    buffer.putInt(Layout.REQUIRED_FEATURES).putInt(Layout.OPTIONAL_FEATURES);
    buffer.putVarint(options.tableId()).putVarint(options.columnIds().length);
    for (int column : options.columnIds()) {
      buffer.putVarint(column);
    }
    buffer.setShort(10, buffer.size() + Integer.BYTES);
    buffer.putInt(out.crcSince(0));
  }

  @Override
  public void add(Entry entry) throws IOException {
    int shared = block.sharedWithLast(entry.keySegment(), entry.keyOffset(), entry.keyLength());
    checkOrder(entry, shared);
    if (options.index()) {
      addToBlock(entry, shared);
      statistics.addOfIndex(entry);
    } else {
      addOfTable(entry, shared);
    }
    lastPrefix = entry.prefixLength();
  }

  private void addOfTable(Entry entry, int shared) throws IOException {
    boolean newPartition = notePartition(entry, shared);
    int kind = entry.kind();
    addToBlock(entry, shared);
    boolean newRow = kind != Entry.ELEMENT || shared < entry.view(element).rowKeyLength();
    statistics.add(entry, kind, newRow);
    addToFilter(entry, kind, newPartition, newRow);
    noteDeletions(entry, kind);
  }

  private void addToBlock(Entry entry, int shared) throws IOException {
    if (!block.isEmpty() && block.isFullFor(entry.keyLength(), entry.valueLength())) {
      finishBlock();
    }
    if (block.isEmpty()) {
      beginBlock(entry, shared);
    }
    block.add(
        shared,
        entry.keySegment(),
        entry.keyOffset(),
        entry.keyLength(),
        entry.prefixLength(),
        entry.valueSegment(),
        entry.valueOffset(),
        entry.valueLength());
  }

  private void checkOrder(Entry entry, int shared) {
    ByteWriter last = block.lastKey();
    boolean ascends =
        shared < entry.keyLength()
            && (shared == last.size()
                || Bytes.getUnsignedByte(entry.keySegment(), entry.keyOffset() + shared)
                    > Bytes.getUnsignedByte(last.segment(), shared));
    if (!ascends) {
      throw new IllegalStateException("keys of an SSTable must ascend");
    }
  }

  private boolean notePartition(Entry entry, int shared) {
    boolean same =
        statistics.entries() > 0 && lastPrefix == entry.prefixLength() && shared >= lastPrefix;
    if (!same) {
      endPartition();
      partitionTimestamp = RowFormat.NO_TIMESTAMP;
      openTimestamp = RowFormat.NO_TIMESTAMP;
      partitionHasBounds = false;
      statistics.addPartition();
    }
    return !same;
  }

  /** Notes the current partition, which is complete, and reports it if it is above a limit. */
  private void endPartition() {
    if (statistics.entries() == 0) {
      return;
    }
    statistics.endPartition(block.lastKey().segment(), lastPrefix);
    PartitionLimits limits = options.partitionLimits();
    long bytes = statistics.partitionBytes();
    long tombstones = statistics.partitionTombstones();
    if (bytes > limits.bytes() || tombstones > limits.tombstones()) {
      byte[] prefix = Bytes.toArray(block.lastKey().segment(), 0, lastPrefix);
      limits.listener().onExceeded(options.tableId(), prefix, bytes, tombstones);
    }
  }

  private void noteDeletions(Entry entry, int kind) {
    MemorySegment value = entry.valueSegment();
    if (kind == Entry.PARTITION_DELETION) {
      partitionTimestamp = Bytes.getLong(value, entry.valueOffset());
      partitionSeconds = Bytes.getInt(value, entry.valueOffset() + 8) & 0xFFFFFFFFL;
    } else if (kind == Entry.BOUND) {
      block.markBounds();
      bound.wrap(value, entry.valueOffset());
      openTimestamp = bound.openedTimestamp();
      openSeconds = bound.openedSeconds();
    }
  }

  private void addToFilter(Entry entry, int kind, boolean newPartition, boolean newRow) {
    MemorySegment key = entry.keySegment();
    if (newPartition) {
      filter.add(Hashing.xxh3(key, entry.keyOffset(), entry.prefixLength()), statistics.entries());
    }
    if (kind == Entry.ELEMENT) {
      if (newRow) {
        int length = element.rowKeyLength();
        filter.add(Hashing.xxh3(key, entry.keyOffset(), length), statistics.entries());
      }
    } else if (kind != Entry.BOUND) {
      filter.add(Hashing.xxh3(key, entry.keyOffset(), entry.keyLength()), statistics.entries());
    } else if (!partitionHasBounds) {
      partitionHasBounds = true;
      filterKey.clear().putBytes(key, entry.keyOffset(), entry.prefixLength());
      filterKey.putByte(Sstable.FILTER_BOUNDS);
      filter.add(Hashing.xxh3(filterKey.segment(), 0, filterKey.size()), statistics.entries());
    }
  }

  private void beginBlock(Entry first, int shared) {
    block.begin(partitionTimestamp, partitionSeconds, openTimestamp, openSeconds);
    blockSeparator.clear();
    if (statistics.entries() > 0) {
      blockSeparator.putBytes(first.keySegment(), first.keyOffset(), shared + 1);
    }
  }

  private void finishBlock() throws IOException {
    long position = out.position();
    ByteWriter contents = block.finish();
    int stored = out.writeBlock(contents);
    if (!index.isEmpty() && index.isFullFor(blockSeparator.size(), 24)) {
      finishIndexBlock();
    }
    if (index.isEmpty()) {
      indexSeparator.clear().putBytes(blockSeparator.segment(), 0, blockSeparator.size());
    }
    putHandle(index, blockSeparator, position, stored, contents.size());
    statistics.addBlock();
    block.begin(RowFormat.NO_TIMESTAMP, 0, RowFormat.NO_TIMESTAMP, 0);
  }

  private void finishIndexBlock() throws IOException {
    long position = out.position();
    ByteWriter contents = index.finish();
    int stored = out.writeBlock(contents);
    putHandle(top, indexSeparator, position, stored, contents.size());
    index.begin(RowFormat.NO_TIMESTAMP, 0, RowFormat.NO_TIMESTAMP, 0);
  }

  private void putHandle(
      BlockBuilder target, ByteWriter separator, long position, int stored, int length) {
    handle.clear().putVarint(position).putVarint(stored).putVarint(length);
    MemorySegment key = separator.segment();
    int shared = target.sharedWithLast(key, 0, separator.size());
    target.add(shared, key, 0, separator.size(), 0, handle.segment(), 0, handle.size());
  }

  @Override
  public long bytesWritten() {
    return out.position();
  }

  @Override
  public SstableStatistics finish() throws IOException {
    if (statistics.entries() == 0) {
      throw new IllegalStateException("an SSTable must have entries");
    }
    finishBlock();
    finishIndexBlock();
    if (!options.index()) {
      endPartition();
    }
    SstableStatistics result = statistics.finish(block.lastKey(), options.logPositions());
    long dataEnd = out.position();
    ByteWriter directory = new ByteWriter(256);
    directory.putShort(options.index() ? 4 : 6);
    ByteWriter topContents = top.finish();
    addSection(
        directory, Layout.SECTION_TOP_INDEX, true, topContents.segment(), topContents.size());
    if (!options.index()) {
      MemorySegment bits = filter.finish();
      addSection(directory, Layout.SECTION_FILTER, false, bits, bits.byteSize());
    }
    ByteWriter scratch = new ByteWriter(512);
    StatisticsBuilder.write(result, scratch);
    addSection(directory, Layout.SECTION_STATISTICS, true, scratch.segment(), scratch.size());
    scratch.clear().putBytes(options.logPositions());
    addSection(directory, Layout.SECTION_LOG_POSITIONS, false, scratch.segment(), scratch.size());
    scratch.clear();
    StatisticsBuilder.writeSizes(result, scratch);
    addSection(
        directory, Layout.SECTION_LARGEST_PARTITION, false, scratch.segment(), scratch.size());
    if (!options.index()) {
      PartitionsSection.write(result.notes(), scratch.clear());
      addSection(directory, Layout.SECTION_PARTITIONS, false, scratch.segment(), scratch.size());
    }
    directory.putLong(dataEnd);
    writeFooter(directory);
    out.sync();
    return result;
  }

  @Override
  public void close() {
    block.close();
    index.close();
    top.close();
    filter.close();
    out.close();
  }

  private void addSection(
      ByteWriter directory, int type, boolean required, MemorySegment section, long length)
      throws IOException {
    long position = out.position();
    int crc = out.writeSection(section, length);
    directory.putShort(type).putShort(required ? Layout.SECTION_REQUIRED : 0);
    directory.putLong(position).putLong(length).putInt(crc);
  }

  private void writeFooter(ByteWriter directory) {
    ByteWriter buffer = out.buffer();
    int start = buffer.size();
    buffer.putBytes(directory.segment(), 0, directory.size());
    buffer.putInt(directory.size() + Layout.FOOTER_TAIL_BYTES);
    buffer.putInt(out.crcSince(start));
    buffer.putShort(Layout.VERSION).putLong(Layout.FOOTER_MAGIC);
  }
}
