package io.helenus.storage.sstable;

import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.SlabPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of what is kept of open files: top indexes, which are needed to read, and filters,
 * which are loaded as far as the share of {@link Use#FILTERS_AND_INDEXES} has room for them. Most
 * files are small, so that small sections are not rounded up to the size of a slab. Any thread.
 */
public final class FileMemory {
  private static final int SMALL_BYTES = SlabPool.SMALLEST_BYTES / 2;

  private final SlabPool slabs;
  private final MemoryShare share;
  private final AtomicLong filterBytes = new AtomicLong();

  /** Takes memory from a node's share. */
  public FileMemory(NodeMemory memory) {
    slabs = memory.slabs(Use.FILTERS_AND_INDEXES);
    share = memory.share(Use.FILTERS_AND_INDEXES);
  }

  /**
   * A section of a file in memory.
   *
   * @param bytes its contents
   * @param slab the memory they are in
   * @param isFilter whether it is a filter
   */
  public record Section(MemorySegment bytes, MemorySegment slab, boolean isFilter) {}

  /** Memory for a section, with undefined contents. */
  public Section take(long length, boolean isFilter) {
    MemorySegment slab;
    if (length <= SMALL_BYTES) {
      slab = Arena.ofAuto().allocate(Math.max(1, length), 8);
      share.take(slab.byteSize());
    } else {
      slab = slabs.take(length);
    }
    if (isFilter) {
      filterBytes.addAndGet(slab.byteSize());
    }
    return new Section(slab.asSlice(0, length), slab, isFilter);
  }

  /** Takes back a section that nothing reads any more. */
  public void giveBack(Section section) {
    if (section.isFilter) {
      filterBytes.addAndGet(-section.slab.byteSize());
    }
    if (section.bytes.byteSize() <= SMALL_BYTES) {
      share.giveBack(section.slab.byteSize());
    } else {
      slabs.giveBack(section.slab);
    }
  }

  /** The memory that a section of this length takes. */
  public static long sizeBytes(long length) {
    return length <= SMALL_BYTES ? Math.max(1, length) : SlabPool.rounded(length);
  }

  /** The limit of all filters: what the indexes leave of the share. */
  public long filterLimitBytes() {
    return Math.max(0, share.limitBytes() - (share.usedBytes() - filterBytes.get()));
  }
}
