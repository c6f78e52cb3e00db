package io.helenus.server.process;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handles SIGTERM and SIGINT: a quick task, then the shutdown hooks.
 *
 * <p>Without it the task would wait for the thread of a shutdown hook, which takes a JVM with busy
 * processors up to ten milliseconds longer. {@link Signal} is in {@code jdk.unsupported}, which
 * stays accessible until there is a replacement (JEP 260).
 */
final class StopSignals {
  /** What the exit codes of processes that were ended by a signal are counted from. */
  private static final int SIGNALLED = 128;

  private StopSignals() {}

  /**
   * Ends a start in order while it waits for other nodes; at any other moment, the process ends at
   * once, as it does without a handler.
   */
  static void handle(StartWaits waits) {
    handle(
        received -> {
          if (!waits.end()) {
            System.exit(SIGNALLED + received.getNumber());
          }
        });
  }

  /**
   * Runs {@code first} on the thread of the signal and then exits, which runs the shutdown hooks.
   */
  static void handle(Runnable first) {
    handle(
        received -> {
          first.run();
          System.exit(0);
        });
  }

  private static void handle(SignalHandler handler) {
    for (String name : new String[] {"TERM", "INT"}) {
      Signal.handle(new Signal(name), handler);
    }
  }
}
