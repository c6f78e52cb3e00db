package io.helenus.storage.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A share of the node's memory budget: how much of it is used, its limit, and the highest use so
 * far, in bytes. Any thread; meant for amounts of kilobytes and more, because all threads share the
 * counter.
 */
public final class MemoryShare {
  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong highWater = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();

  /** An unused share. */
  public MemoryShare(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A share without a limit, for tools and tests. */
  public static MemoryShare unlimited() {
    return new MemoryShare(Long.MAX_VALUE);
  }

  /** The size of the share. */
  public long limitBytes() {
    return limitBytes;
  }

  /** The bytes taken and not released. */
  public long usedBytes() {
    return used.get();
  }

  /** The highest use since the start. */
  public long highWaterBytes() {
    return highWater.get();
  }

  /** How often memory was refused. */
  public long refusals() {
    return refusals.get();
  }

  /** Takes memory; false, and nothing is taken, if that exceeds the limit. */
  public boolean tryTake(long bytes) {
    if (!tryTake(bytes, limitBytes)) {
      countRefusal();
      return false;
    }
    return true;
  }

  /** As above with a limit of the caller, who counts the refusal. */
  boolean tryTake(long bytes, long limit) {
    long before = used.get();
    // a large attempt that fails must not make a small one fail in passing
    while (bytes <= limit - before) {
      if (used.compareAndSet(before, before + bytes)) {
        raise(before + bytes);
        return true;
      }
      before = used.get();
    }
    return false;
  }

  /** Counts a refusal. */
  void countRefusal() {
    refusals.incrementAndGet();
  }

  /** Takes memory even if that exceeds the limit: for what has been admitted before. */
  public void take(long bytes) {
    raise(used.addAndGet(bytes));
  }

  /** Gives memory back. */
  public void giveBack(long bytes) {
    long now = used.addAndGet(-bytes);
    assert now >= 0 : "more released than taken";
  }

  private void raise(long now) {
    long highest = highWater.get();
    while (now > highest && !highWater.compareAndSet(highest, now)) {
      highest = highWater.get();
    }
  }
}
