package io.helenus.server.conformance;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A server that the scripts are run against, and what is done to it between their statements. Every
 * call returns when it is done. Not for several threads.
 */
interface ServerUnderTest extends AutoCloseable {
  /** Starts it on a data folder of its own and waits until it answers. */
  void start(Path dataDirectory, int shards) throws IOException;

  /** The address that it answers on. */
  String host();

  /** The port that it answers on. */
  int port();

  /** Writes every memtable into files. */
  void flush() throws IOException;

  /** Merges the files of every table into one. */
  void compact() throws IOException;

  /** Stops it as SIGTERM does and starts it again on the same data. */
  void restart() throws IOException;

  /** Stops it. */
  @Override
  void close();
}
