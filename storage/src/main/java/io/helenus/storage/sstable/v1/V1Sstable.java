package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.BloomFilter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.Block;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.FileMemory;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open file of format version 1. */
final class V1Sstable extends Sstable {
  private static final int STORED_LIMIT_BYTES = 1 << 30;

  private final V1Format format;
  private final FileSystem.File file;
  private final long sizeBytes;
  private final int tableId;
  private final SstableStatistics statistics;
  private final FileMemory.Section top;
  private final long filterPosition;
  private final long filterLength;
  private final int filterSum;

  // loaded on an I/O thread, used and dropped on the shard's
  private volatile @Nullable BloomFilter filter;
  private FileMemory.@Nullable Section filterSection;
  private boolean filterUsed;

  V1Sstable(
      V1Format format,
      FileSystem.File file,
      long sizeBytes,
      int tableId,
      SstableStatistics statistics,
      FileMemory.Section top,
      long filterPosition,
      long filterLength,
      int filterSum) {
    this.format = format;
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.tableId = tableId;
    this.statistics = statistics;
    this.top = top;
    this.filterPosition = filterPosition;
    this.filterLength = filterLength;
    this.filterSum = filterSum;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public int tableId() {
    return tableId;
  }

  @Override
  public SstableStatistics statistics() {
    return statistics;
  }

  V1Format format() {
    return format;
  }

  /** The contents of the top index block. */
  MemorySegment top() {
    return top.bytes();
  }

  @Override
  public EntryCursor cursor(@Nullable EntryCursor closed, BlockSource source) {
    if (closed instanceof V1Cursor reused) {
      reused.reopen(this, source);
      return reused;
    }
    return new V1Cursor(this, source);
  }

  @Override
  public void load(long position, int storedLength, Block target) {
    if (storedLength < Layout.BLOCK_HEADER_BYTES + Layout.BLOCK_TRAILER_BYTES
        || storedLength > STORED_LIMIT_BYTES) {
      throw damaged(position, null);
    }
    V1Format.Scratch scratch = format.takeScratch();
    try {
      scratch.stored.clear().reserve(storedLength);
      MemorySegment stored = scratch.stored.segment();
      if (file.read(position, stored, 0, storedLength) != storedLength) {
        throw damaged(position, null);
      }
      int end = storedLength - Layout.BLOCK_TRAILER_BYTES;
      int sum = scratch.crc.reset().update(position).update(stored, 0, end).value();
      int length = Bytes.getInt(stored, 1);
      if (sum != Bytes.getInt(stored, end) || length != target.length()) {
        throw damaged(position, null);
      }
      unpack(stored, end - Layout.BLOCK_HEADER_BYTES, target);
    } catch (IOException failure) {
      throw new StorageException(
          path() + " cannot be read at offset " + position + ": " + failure.getMessage(), failure);
    } catch (IllegalArgumentException damage) {
      throw damaged(position, damage);
    } finally {
      format.giveBack(scratch);
    }
  }

  @Override
  public void verify(Consumer<String> problems) {
    new V1Verification(this, problems).run();
  }

  private void unpack(MemorySegment stored, int packedLength, Block target) {
    int length = target.length();
    int at = Layout.BLOCK_HEADER_BYTES;
    if (Bytes.getByte(stored, 0) == Layout.COMPRESSION_LZ4) {
      format.lz4().decompress(stored, at, packedLength, target.segment(), target.offset(), length);
    } else if (Bytes.getByte(stored, 0) == Layout.COMPRESSION_NONE && packedLength == length) {
      MemorySegment.copy(stored, at, target.segment(), target.offset(), length);
    } else {
      throw new IllegalArgumentException("unknown compression or wrong length");
    }
  }

  private StorageException damaged(long position, @Nullable Throwable cause) {
    String message =
        path()
            + " is damaged: the block at offset "
            + position
            + " fails its checksum; restore the file from a backup or another replica";
    return cause == null ? new StorageException(message) : new StorageException(message, cause);
  }

  @Override
  public boolean isFilterLoaded() {
    return filter != null || filterPosition == 0;
  }

  @Override
  public long filterBytes() {
    return filterPosition == 0 ? 0 : FileMemory.sizeBytes(filterLength);
  }

  @Override
  public void loadFilter() {
    if (isFilterLoaded()) {
      return;
    }
    FileMemory.Section section = readFilter();
    try {
      BloomFilter read = BloomFilter.read(section.bytes(), 0, filterLength);
      filterSection = section;
      filter = read;
    } catch (IllegalArgumentException damage) {
      format.memory().giveBack(section);
      throw new StorageException(
          path() + " has a damaged filter at offset " + filterPosition, damage);
    }
  }

  private FileMemory.Section readFilter() {
    try {
      return V1Opener.readSection(
          file, filterPosition, filterLength, filterSum, new Crc32c(), format.memory(), true);
    } catch (IOException failure) {
      throw new StorageException(path() + " cannot be read at offset " + filterPosition, failure);
    }
  }

  /** Reads the filter and raises a StorageException if it is damaged. */
  void checkFilter() {
    if (filterPosition != 0) {
      format.memory().giveBack(readFilter());
    }
  }

  @Override
  public void dropFilter() {
    filter = null;
    FileMemory.Section dropped = filterSection;
    filterSection = null;
    if (dropped != null) {
      format.memory().giveBack(dropped);
    }
  }

  @Override
  public boolean takeFilterUsed() {
    boolean used = filterUsed;
    filterUsed = false;
    return used;
  }

  @Override
  protected void free() {
    dropFilter();
    format.memory().giveBack(top);
  }

  @Override
  public boolean mayContain(long hash) {
    BloomFilter loaded = filter;
    if (loaded == null) {
      return true;
    }
    filterUsed = true;
    return loaded.mayContain(hash);
  }
}
