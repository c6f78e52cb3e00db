package io.helenus.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory of large answers while their rows are collected. All of them together may take half of
 * the share; beyond that, one at a time goes on until the share is exhausted. So of several large
 * answers that do not fit beside each other one is completed, instead of all being refused. Nothing
 * waits. One per node; any thread.
 */
public final class AnswerMemory {
  /** The largest answer: clients accept no message above 256 MiB. */
  private static final long LARGEST_BYTES = 255 << 20;

  private final LargeSegments segments;
  private final AtomicReference<@Nullable Answer> favoured = new AtomicReference<>();

  /** Takes the memory from these segments, up to the limit of their share. */
  public AnswerMemory(LargeSegments segments) {
    this.segments = segments;
  }

  /** The segments, for giving back the memory of an answer that has ended. */
  public LargeSegments segments() {
    return segments;
  }

  /** The memory of one answer at a time. */
  public Answer answer() {
    return new Answer();
  }

  /**
   * The memory of an answer, from {@link #begin} to {@link #end}; what it has taken by then may be
   * released later. Reused. One thread at a time, except for {@link #abandon}.
   */
  public final class Answer implements SegmentSource {
    private long taken;
    private volatile boolean abandoned;

    private Answer() {}

    /** Begins an answer. */
    public void begin() {
      taken = 0;
    }

    @Override
    public MemorySegment take(long bytes) {
      MemoryShare share = segments.share();
      long limit = share.limitBytes();
      long size = LargeSegments.rounded(bytes);
      long largest = Math.min(limit, LARGEST_BYTES);
      if (taken + size > largest) {
        share.countRefusal();
        throw new ShareExhaustedException(true, taken, largest);
      }
      MemorySegment segment = segments.tryTake(bytes, isFavoured() ? limit : limit / 2);
      if (segment == null && favour()) {
        segment = segments.tryTake(bytes, limit);
      }
      if (segment == null) {
        share.countRefusal();
        throw new ShareExhaustedException(false, share.usedBytes(), limit);
      }
      taken += size;
      return segment;
    }

    @Override
    public void giveBack(MemorySegment segment) {
      taken -= segment.byteSize();
      segments.giveBack(segment);
    }

    private boolean isFavoured() {
      return favoured.get() == this;
    }

    private boolean favour() {
      if (!isFavoured() && !favoured.compareAndSet(null, this)) {
        return false;
      }
      if (abandoned) {
        end();
        return false;
      }
      return true;
    }

    /** Ends the answer; another one may now go on beyond half of the share. */
    public void end() {
      if (isFavoured()) {
        favoured.set(null);
      }
    }

    /**
     * Ends the answer for good, although another thread may still add to it. What it has taken is
     * released when that thread has ended, or once the garbage collector has found it.
     */
    public void abandon() {
      abandoned = true;
      end();
    }
  }
}
