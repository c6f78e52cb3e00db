package io.helenus.server.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A server that the scripts run against, with the operations performed between statements. All
 * calls block until done. Not thread-safe.
 */
interface ServerUnderTest extends AutoCloseable {
  /**
   * Starts the server on a new data folder and waits until it accepts requests.
   *
   * @param settings by name; all others have the values of tests
   */
  void start(Path dataDirectory, int shards, Map<String, String> settings) throws IOException;

  /** As {@link #start(Path, int, Map)} with the settings of tests. */
  default void start(Path dataDirectory, int shards) throws IOException {
    start(dataDirectory, shards, Map.of());
  }

  /** The address it listens on. */
  String host();

  /** The port it listens on. */
  int port();

  /** Flushes all memtables. */
  void flush() throws IOException;

  /** Compacts every table into one SSTable. */
  void compact() throws IOException;

  /** Stops the server as SIGTERM does and restarts it on the same data. */
  void restart() throws IOException;

  /** Stops the server. */
  @Override
  void close();
}
