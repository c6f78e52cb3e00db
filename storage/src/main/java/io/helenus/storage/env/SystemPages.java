package io.helenus.storage.env;

import io.helenus.storage.memory.PageDiscard;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Returns pages with {@code madvise(MADV_DONTNEED)} (madvise(2)), which frees those of private
 * memory at once. Linked on first use, because a start does not need it. Any thread.
 */
public final class SystemPages implements PageDiscard {
  private static final int MADV_DONTNEED = 4;
  private static final long PAGE_BYTES = 1 << 12;

  private final MethodHandle madvise;

  private SystemPages() {
    Linker linker = Linker.nativeLinker();
    madvise =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("madvise"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
  }

  private static final class Linked {
    static final SystemPages PAGES = new SystemPages();
  }

  /** Discards pages on Linux; elsewhere pages stay. */
  public static PageDiscard discard() {
    boolean linux = System.getProperty("os.name", "").startsWith("Linux");
    return linux ? segment -> Linked.PAGES.discard(segment) : PageDiscard.NONE;
  }

  @Override
  public void discard(MemorySegment segment) {
    long start = (segment.address() + PAGE_BYTES - 1) & -PAGE_BYTES;
    long end = (segment.address() + segment.byteSize()) & -PAGE_BYTES;
    if (start >= end) {
      return;
    }
    try {
      // a page that cannot be discarded only stays
      int ignored =
          (int) madvise.invokeExact(MemorySegment.ofAddress(start), end - start, MADV_DONTNEED);
    } catch (Throwable e) {
      throw new AssertionError("madvise does not throw", e);
    }
  }
}
