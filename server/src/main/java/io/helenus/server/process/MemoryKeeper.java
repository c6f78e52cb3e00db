package io.helenus.server.process;

import io.helenus.server.node.Heap;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.memory.NodeMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Releases what a burst of work took: free native memory after ten to twenty seconds, the heap by a
 * collection when the process is idle. Its state is confined to the scheduler's thread.
 */
final class MemoryKeeper {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A process that allocates less than this in a period is idle. */
  private static final long IDLE_BYTES = 1 << 20;

  /** A collection of less than this is not worth its pause. */
  private static final long WORTH_BYTES = 8 << 20;

  private final NodeMemory memory;
  private final Heap heap;
  private final Scheduler scheduler;
  private final Executor executor;
  private long usedBefore;
  private long usedAfterCollection;
  private volatile boolean stopped;

  /**
   * Does nothing before {@link #start}.
   *
   * @param executor runs the system calls and collections, which may take milliseconds
   */
  MemoryKeeper(NodeMemory memory, Heap heap, Scheduler scheduler, Executor executor) {
    this.memory = memory;
    this.heap = heap;
    this.scheduler = scheduler;
    this.executor = executor;
  }

  void start() {
    scheduler.schedule(this::look, PERIOD_NANOS);
  }

  void stop() {
    stopped = true;
  }

  private void look() {
    if (stopped) {
      return;
    }
    executor.execute(memory::trim);
    long used = heap.usedBytes();
    boolean idle = used >= usedBefore && used - usedBefore < IDLE_BYTES;
    if (usedAfterCollection == 0) {
      usedAfterCollection = used;
    }
    usedBefore = used;
    if (idle && used - usedAfterCollection > WORTH_BYTES) {
      executor.execute(
          () -> {
            heap.collect();
            long left = heap.usedBytes();
            scheduler.execute(
                () -> {
                  usedAfterCollection = left;
                  usedBefore = left;
                });
          });
    }
    scheduler.schedule(this::look, PERIOD_NANOS);
  }
}
