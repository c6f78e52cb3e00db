package io.helenus.clients.cluster;

import java.util.List;

/**
 * An application that reaches three nodes through a driver, with the driver's defaults but for
 * QUORUM and long timeouts. It knows one of them; the tables {@code rf1.t} and {@code rf3.t} of its
 * {@code int} columns {@code id} and {@code v} are there. For one thread.
 */
interface DriverApplication extends AutoCloseable {
  /** The language and version of the driver. */
  String name();

  /** The addresses of the nodes that it found, sorted. */
  List<String> hosts();

  /** Inserts rows into {@code rf1.t} with a prepared statement, one after the other. */
  void insert(List<Integer> ids);

  /**
   * Begins to read and write {@code rf3.t} with idempotent prepared statements, several at a time,
   * until {@link #end}.
   */
  void load();

  /** How many of these requests have succeeded so far. */
  int done();

  /** Those that have failed, and what else went wrong. */
  List<String> failures();

  /** What the driver has said of nodes: {@code up ADDRESS}, {@code down ADDRESS}. */
  List<String> events();

  /** Ends the load, and returns how many of its requests have succeeded. */
  int end();

  @Override
  void close();
}
