package io.helenus.storage.env;

import java.util.concurrent.Executor;

/**
 * The rule for exceptions that nobody expects, and the switch that stops the node. Any thread.
 *
 * <ol>
 *   <li>Work that belongs to one client or one background job (planning, binding, reading,
 *       encoding; flush, compaction, loading a block) passes what it catches to {@link #contain}
 *       and fails alone, with its state reset.
 *   <li>An exhausted heap stops the node wherever it is noticed: the allocation that fails is
 *       rarely the one to blame, and any other thread may be halfway through a change.
 *   <li>Everything else (applying a mutation, the logs, a shard's tick and mailbox) runs under
 *       {@link #guard}: whatever escapes stops the node, because memory may no longer agree with
 *       the log. The next start replays the log.
 * </ol>
 *
 * Native memory is different from the heap: an allocation that fails there has changed nothing, so
 * rule 1 applies.
 */
@FunctionalInterface
public interface FatalErrors {
  /**
   * Stops the node at once: nothing more is acknowledged. Does not return in a real process; in a
   * test it may, and the caller then propagates the exception.
   */
  void halt(Throwable cause);

  /**
   * Halts if the heap is exhausted; otherwise returns the failure as an exception for the request
   * or job that caused it. An {@link Error} comes back inside a {@link ContainedErrorException}.
   */
  default Exception contain(Throwable failure) {
    if (isHeapExhausted(failure)) {
      halt(failure);
    }
    if (failure instanceof Error error) {
      return new ContainedErrorException(error);
    }
    return (Exception) failure;
  }

  /** Runs a task that must not fail: whatever it throws halts the node. */
  default void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable escaped) {
      halt(escaped);
      throw escaped;
    }
  }

  /** An executor whose tasks run under {@link #guard}. */
  default Executor guarded(Executor executor) {
    return task -> executor.execute(() -> guard(task));
  }

  /** Whether this, or what caused it, is an OutOfMemoryError of anything but native memory. */
  static boolean isHeapExhausted(Throwable failure) {
    Throwable each = failure;
    for (int depth = 0; each != null && depth < 16; depth++) {
      if (each instanceof OutOfMemoryError error && !isNative(error)) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  /**
   * Whether native memory or threads ran out. The JDK and Netty throw these from Java code, so
   * {@code -XX:+ExitOnOutOfMemoryError} does not see them; only the text tells them apart.
   */
  static boolean isNative(OutOfMemoryError error) {
    String text = String.valueOf(error.getMessage());
    return text.contains("direct buffer memory")
        || text.contains("direct memory")
        || text.startsWith("Unable to allocate ")
        || text.startsWith("unable to create native thread")
        || text.equals("Map failed");
  }
}
