package io.helenus.storage.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps large segments of native memory for reuse. Their sizes are powers of two up to 1 MiB, and
 * four to each doubling above. Memory from an automatic arena is zeroed when it is allocated and
 * freed only once the garbage collector runs, which a node that leaves little garbage on the heap
 * seldom does; the pages of segments that are released and not kept are therefore returned to the
 * system at once. As much is kept as the share leaves, because new pages cost several times as much
 * as the bytes that are copied to them. A segment that is never released is left to the garbage
 * collector. What is in use counts against a share. One per node and purpose, because the rows of a
 * read may be appended on one shard and released on another. Any thread.
 */
public final class LargeSegments implements SegmentSource {
  /** The size of the smallest segment to be kept. */
  public static final int SMALLEST_BYTES = 64 << 10;

  private static final int FINE_BYTES = 1 << 20;
  private static final int STEPS = 4;

  /**
   * How many times the limit the free segments without pages may be. They take only addresses, and
   * whatever is dropped instead counts as native memory for the JVM until it is collected twice.
   */
  private static final int ADDRESSES = 16;

  private static final int COLLECTIONS = 2;
  private static final int PAGE_BYTES = 1 << 12;
  private static final long KEPT_BYTES = 32 << 20;

  private final MemoryShare share;
  private final PageDiscard pages;
  private final long keptLimit;
  private final NavigableMap<Long, FreeSegments> free = new TreeMap<>();

  /** The sizes of the segments in use, by address. */
  private final Map<Long, Long> used = new ConcurrentHashMap<>();

  private long kept;
  private long discarded;

  /**
   * Keeps nothing yet.
   *
   * @param share counts the segments in use; the callers limit them
   * @param pages returns the pages of free segments to the system
   * @param keptLimit how many bytes are kept for reuse even if the share is in use or has no limit
   */
  public LargeSegments(MemoryShare share, PageDiscard pages, long keptLimit) {
    this.share = share;
    this.pages = pages;
    this.keptLimit = keptLimit;
  }

  /** Without a limit: for tools and tests. */
  public LargeSegments() {
    this(MemoryShare.unlimited(), PageDiscard.NONE, KEPT_BYTES);
  }

  /** The share that the segments count against. */
  public MemoryShare share() {
    return share;
  }

  @Override
  public MemorySegment take(long bytes) {
    long size = rounded(bytes);
    share.take(size);
    return supply(size);
  }

  /** As {@link #take}; null if the use of the share would exceed the limit. */
  @Nullable MemorySegment tryTake(long bytes, long limit) {
    long size = rounded(bytes);
    if (!share.tryTake(size, limit)) {
      return null;
    }
    return supply(size);
  }

  /** A segment of a size that has been counted. */
  private MemorySegment supply(long size) {
    MemorySegment segment = pollResident(size);
    if (segment == null) {
      discardExcess();
      segment = pollDiscarded(size);
    }
    if (segment == null) {
      try {
        segment = allocate(size);
      } catch (OutOfMemoryError e) {
        share.giveBack(size);
        throw e;
      }
    }
    used.put(segment.address(), size);
    return segment;
  }

  /** The size of the segment that {@link #take} returns. */
  static long rounded(long bytes) {
    long power = Math.max(SMALLEST_BYTES, Long.highestOneBit(Math.max(1, bytes - 1)) << 1);
    if (power <= FINE_BYTES) {
      return power;
    }
    long step = power / 2 / STEPS;
    return (bytes + step - 1) / step * step;
  }

  private MemorySegment allocate(long size) {
    MemorySegment memory = allocateOrCollect(size);
    // the second arena tells when nothing refers to the memory any more; its action keeps the
    // memory, and must not keep the free segments
    Collected action = new Collected(memory, used, share);
    return memory.reinterpret(Arena.ofAuto(), action);
  }

  /** What was dropped is freed two collections later; the JVM itself tries only one. */
  private static MemorySegment allocateOrCollect(long size) {
    for (int attempt = 0; attempt < COLLECTIONS; attempt++) {
      try {
        return Arena.ofAuto().allocate(size, PAGE_BYTES);
      } catch (OutOfMemoryError exhausted) {
        System.gc();
      }
    }
    return Arena.ofAuto().allocate(size, PAGE_BYTES);
  }

  /** What is done once the garbage collector has found that nothing refers to a segment. */
  private record Collected(MemorySegment memory, Map<Long, Long> used, MemoryShare share)
      implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment ignored) {
      Long size = used.remove(memory.address());
      if (size != null) {
        share.giveBack(size);
      }
    }
  }

  private synchronized @Nullable MemorySegment pollResident(long size) {
    FreeSegments segments = free.get(size);
    if (segments == null || segments.resident() == 0) {
      return null;
    }
    kept -= size;
    return segments.poll();
  }

  private synchronized @Nullable MemorySegment pollDiscarded(long size) {
    FreeSegments segments = free.get(size);
    MemorySegment segment = segments == null ? null : segments.pollDiscarded();
    if (segment != null) {
      discarded -= size;
    }
    return segment;
  }

  /** How much may be kept: together with what is in use not more than the share. */
  private long keepable() {
    long limit = share.limitBytes();
    return limit == Long.MAX_VALUE ? keptLimit : Math.max(keptLimit, limit - share.usedBytes());
  }

  /** Discards the pages of free segments, the largest first, that the share no longer leaves. */
  private void discardExcess() {
    MemorySegment excess = takeExcess();
    while (excess != null) {
      pages.discard(excess);
      keepAddress(excess);
      excess = takeExcess();
    }
  }

  private synchronized @Nullable MemorySegment takeExcess() {
    if (kept <= keepable()) {
      return null;
    }
    for (FreeSegments each : free.descendingMap().values()) {
      MemorySegment segment = each.poll();
      if (segment != null) {
        kept -= segment.byteSize();
        return segment;
      }
    }
    return null;
  }

  @Override
  public void giveBack(MemorySegment segment) {
    long size = segment.byteSize();
    if (size < SMALLEST_BYTES || !used.remove(segment.address(), size)) {
      return;
    }
    share.giveBack(size);
    if (!keep(segment, size)) {
      pages.discard(segment);
      keepAddress(segment);
    }
  }

  private synchronized boolean keep(MemorySegment segment, long size) {
    if (kept + size > keepable()) {
      return false;
    }
    free.computeIfAbsent(size, ignored -> new FreeSegments()).add(segment);
    kept += size;
    return true;
  }

  /**
   * Keeps a segment without pages for reuse: the garbage collector would free its addresses late.
   */
  private synchronized void keepAddress(MemorySegment segment) {
    long size = segment.byteSize();
    free.computeIfAbsent(size, ignored -> new FreeSegments()).addDiscarded(segment);
    discarded += size;
    while (discarded > ADDRESSES * keptLimit && dropDiscarded()) {
      // until the others fit
    }
  }

  private boolean dropDiscarded() {
    for (Map.Entry<Long, FreeSegments> each : free.entrySet()) {
      if (each.getValue().dropDiscarded()) {
        discarded -= each.getKey();
        return true;
      }
    }
    return false;
  }

  /** The memory of free segments that has not been returned to the system. */
  public synchronized long keptBytes() {
    long resident = 0;
    for (Map.Entry<Long, FreeSegments> each : free.entrySet()) {
      resident += each.getKey() * each.getValue().resident();
    }
    return resident;
  }

  /**
   * Returns to the system the pages of segments that were not needed since the last call. One
   * thread at a time.
   */
  public void trim() {
    for (FreeSegments each : beginTrim()) {
      MemorySegment segment = takeUnneeded(each);
      while (segment != null) {
        pages.discard(segment);
        keepAddress(segment);
        segment = takeUnneeded(each);
      }
    }
  }

  private synchronized List<FreeSegments> beginTrim() {
    List<FreeSegments> sizes = List.copyOf(free.values());
    sizes.forEach(FreeSegments::beginTrim);
    return sizes;
  }

  private synchronized @Nullable MemorySegment takeUnneeded(FreeSegments segments) {
    MemorySegment segment = segments.takeUnneeded();
    if (segment != null) {
      kept -= segment.byteSize();
    }
    return segment;
  }
}
