package io.helenus.storage.env;

import java.util.concurrent.Executor;

/**
 * Decides which unexpected exceptions stop the node, and stops it. Any thread.
 *
 * <ol>
 *   <li>Work for one client or one background job (planning, binding, reading, encoding; flush,
 *       compaction, loading a block) passes every exception it catches to {@link #contain}. Only
 *       that request or job fails, and its state is reset.
 *   <li>An exhausted heap stops the node wherever it is noticed: the allocation that fails is
 *       rarely the cause, and any other thread may be in the middle of a change.
 *   <li>Everything else (applying a mutation, the logs, a shard's tick and mailbox) runs under
 *       {@link #guard}: an exception that escapes stops the node, because its memory may no longer
 *       match the log. The next start replays the log.
 * </ol>
 *
 * A failed allocation of native memory, unlike one on the heap, affects only the thread that
 * requested it, so rule 1 applies.
 */
@FunctionalInterface
public interface FatalErrors {
  /**
   * Stops the node at once, without further acknowledgements. Does not return in a real process; in
   * a test it may, and the caller then propagates the exception.
   */
  void halt(Throwable cause);

  /**
   * Halts if the heap is exhausted; otherwise returns the failure as an exception with which to
   * fail the request or job. An {@link Error} is wrapped in a {@link ContainedErrorException}.
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

  /** Whether the failure or one of its causes is an OutOfMemoryError not due to native memory. */
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
   * Whether native memory or threads ran out. The JDK and Netty throw these errors from Java code,
   * so they do not trigger {@code -XX:+ExitOnOutOfMemoryError}; only the message distinguishes
   * them.
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
