package io.helenus.server.process;

import sun.misc.Signal;

/**
 * Handles SIGTERM and SIGINT: a quick task, then the shutdown hooks.
 *
 * <p>Without it the task would wait for the thread of a shutdown hook, which takes a JVM with busy
 * processors up to ten milliseconds longer. {@link Signal} is in {@code jdk.unsupported}, which
 * stays accessible until there is a replacement (JEP 260).
 */
final class StopSignals {
  private StopSignals() {}

  /**
   * Runs {@code first} on the thread of the signal and then exits, which runs the shutdown hooks.
   */
  static void handle(Runnable first) {
    for (String name : new String[] {"TERM", "INT"}) {
      Signal.handle(
          new Signal(name),
          received -> {
            first.run();
            System.exit(0);
          });
    }
  }
}
