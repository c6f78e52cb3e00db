package io.helenus.storage.memory;

import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The native memory of a node: a share of its budget for each use, and the pools that supply it.
 * All of it is freed by the garbage collector after the node, because a test may run hundreds of
 * nodes in one process and let some of them crash. Any thread.
 */
public final class NodeMemory {
  /** What native memory is used for. */
  public enum Use {
    /** Rows that have not been flushed, also during their flush. */
    MEMTABLES,
    /** Blocks of SSTables. */
    BLOCK_CACHE,
    /** Bloom filters and the top levels of indexes of SSTables. */
    FILTERS_AND_INDEXES,
    /** Blocks that flushes and compactions read and write. */
    COMPACTION,
    /** Requests that are arriving or in progress. */
    REQUESTS,
    /** Rows of results, until the client has received them. */
    ANSWERS,
    /** Everything that requests, jobs and shards use in passing. */
    BUFFERS
  }

  private final Map<Use, MemoryShare> shares = new EnumMap<>(Use.class);
  private final Map<Use, LargeSegments> segments = new EnumMap<>(Use.class);
  private final Map<Use, SlabPool> slabs = new EnumMap<>(Use.class);
  private final AnswerMemory answers;
  private final PageDiscard pages;

  /**
   * Unused memory.
   *
   * @param limits the limit of each share in bytes; uses that are missing have none
   * @param pages returns the pages of free memory to the system
   * @param keptBytes how much free memory each use keeps between two trims
   */
  public NodeMemory(Map<Use, Long> limits, PageDiscard pages, long keptBytes) {
    this.pages = pages;
    for (Use use : Use.values()) {
      MemoryShare share = new MemoryShare(limits.getOrDefault(use, Long.MAX_VALUE));
      shares.put(use, share);
      segments.put(use, new LargeSegments(share, pages, keptBytes));
    }
    answers = new AnswerMemory(segments(Use.ANSWERS));
    for (Use use :
        new Use[] {Use.MEMTABLES, Use.BLOCK_CACHE, Use.FILTERS_AND_INDEXES, Use.COMPACTION}) {
      slabs.put(use, new SlabPool(Arena.ofAuto(), share(use), segments(use)));
    }
  }

  /** Memory without limits, for tools and tests. */
  public static NodeMemory unlimited() {
    return new NodeMemory(Map.of(), PageDiscard.NONE, 32 << 20);
  }

  /** The share of a use. */
  public MemoryShare share(Use use) {
    return Objects.requireNonNull(shares.get(use));
  }

  /** Segments of 64 KiB and more for a use. */
  public LargeSegments segments(Use use) {
    return Objects.requireNonNull(segments.get(use));
  }

  /** The memory of {@link Use#ANSWERS} for rows that are being collected. */
  public AnswerMemory answers() {
    return answers;
  }

  /** The slabs of a use that has blocks or sections of files, or memtables. */
  public SlabPool slabs(Use use) {
    return Objects.requireNonNull(slabs.get(use), "no slabs");
  }

  /** The memory of a use that is free and has not been returned to the system. */
  public long keptBytes(Use use) {
    SlabPool pool = slabs.get(use);
    return pool == null ? segments(use).keptBytes() : pool.keptBytes();
  }

  /** Returns to the system what was free since the last call. One thread at a time. */
  public void trim() {
    for (Use use : Use.values()) {
      SlabPool pool = slabs.get(use);
      if (pool == null) {
        segments(use).trim();
      } else {
        pool.trim(pages);
      }
    }
  }
}
