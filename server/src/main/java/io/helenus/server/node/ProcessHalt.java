package io.helenus.server.node;

import io.helenus.storage.env.FatalErrors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once when the node cannot go on. No shutdown hook runs: a flush of memory
 * that may be wrong would make it durable, and the log has everything that was acknowledged. Any
 * thread.
 */
final class ProcessHalt implements FatalErrors {
  /** The exit code; the JVM uses the same one for {@code -XX:+ExitOnOutOfMemoryError}. */
  static final int EXIT_CODE = 3;

  private final AtomicBoolean halting = new AtomicBoolean();

  @Override
  public void halt(Throwable cause) {
    try {
      if (halting.compareAndSet(false, true)) {
        log(cause);
      }
    } finally {
      // whatever logging does: on an exhausted heap it may fail
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static void log(Throwable cause) {
    Logger log = LoggerFactory.getLogger(ProcessHalt.class);
    log.error(
        "Halting with exit code {}: {}. Restart the node; the commit log restores every"
            + " acknowledged write",
        EXIT_CODE,
        reason(cause),
        cause);
  }

  private static String reason(Throwable cause) {
    return FatalErrors.isHeapExhausted(cause)
        ? "the heap is exhausted (" + cause + "); raise -Xmx in conf/jvm.options"
        : cause.toString();
  }
}
