package io.helenus.server.process;

import io.helenus.server.node.Heap;
import io.helenus.storage.env.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells whether the heap has room for what stays in memory: tables and types. If it seems full it
 * is collected first, at most every ten seconds, because most of what fills it is garbage. Any
 * thread.
 */
final class HeapRoom implements BooleanSupplier {
  private static final long BETWEEN_COLLECTIONS_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The share of the heap that is left to requests. */
  private static final int FREE_SHARE = 5;

  private final Heap heap;
  private final Clock clock;
  private long collectedNanos;
  private boolean collected;
  private long usedAfterCollection;

  HeapRoom(Heap heap, Clock clock) {
    this.heap = heap;
    this.clock = clock;
  }

  @Override
  public boolean getAsBoolean() {
    long limit = heap.limitBytes() - heap.limitBytes() / FREE_SHARE;
    return heap.usedBytes() < limit || usedWithoutGarbage() < limit;
  }

  private synchronized long usedWithoutGarbage() {
    long now = clock.nanos();
    if (!collected || now - collectedNanos > BETWEEN_COLLECTIONS_NANOS) {
      heap.collect();
      collected = true;
      collectedNanos = now;
      usedAfterCollection = heap.usedBytes();
    }
    return usedAfterCollection;
  }
}
