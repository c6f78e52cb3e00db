package io.helenus.server.simulation.cluster;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A running process of a simulated cluster. */
interface SimMember {
  /** Whether clients may send requests. */
  boolean isReady();

  /**
   * Sends a request of a client to an event loop. The answer may never come: if the process dies,
   * it does not.
   */
  void request(int loop, ClientRequest request, Consumer<Answer> answered);

  /** Stops cleanly; {@link #close} follows once the future is complete. */
  CompletableFuture<Void> stop();

  /** Releases what a stopped process holds. */
  void close();

  /** Flushes and compacts what it has, if it has anything of the kind. */
  void rewriteFiles(boolean compact);

  /** The number of members that this process knows, itself included; 0 while it is none. */
  int members();

  /** What requests in progress hold, by name; 0 if they hold nothing of it. */
  default Map<String, Long> held() {
    return Map.of();
  }

  /** How often something happened in this process, by name: for floors. */
  Map<String, Long> counters();
}
