package io.helenus.server.process;

import io.helenus.storage.env.FatalErrors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Halts the process if the node cannot continue. Shutdown hooks do not run: a flush could make
 * corrupt memory durable, and the commit log contains every acknowledged write. Any thread.
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
      // even if logging fails, as it may on an exhausted heap
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
