package io.helenus.server.simulation.cluster;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.simulation.Write;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client.
 *
 * @param nowSeconds the time that decides what is expired
 * @param pageSize the most rows of a page; -1 for all
 * @param write what a write does; null for others
 * @param read what a read asks for; null for others
 */
record ClientRequest(
    String cql,
    ConsistencyLevel level,
    long nowSeconds,
    int pageSize,
    byte @Nullable [] pagingState,
    @Nullable Write write,
    @Nullable ReadShape read) {
  /** A write. */
  static ClientRequest of(Write write, ConsistencyLevel level) {
    return new ClientRequest(write.cql, level, write.seconds, -1, null, write, null);
  }

  /** The first page of a read. */
  static ClientRequest of(ReadShape read, ConsistencyLevel level, long nowSeconds) {
    return new ClientRequest(read.cql(), level, nowSeconds, read.pageSize(), null, null, read);
  }

  /** A statement that neither writes nor reads rows of the model. */
  static ClientRequest of(String cql) {
    return new ClientRequest(cql, ConsistencyLevel.ONE, 0, -1, null, null, null);
  }

  /** Whether it reads or writes rows of the model. */
  boolean isOfModel() {
    return write != null || read != null;
  }

  /** The next page. */
  ClientRequest next(byte[] state) {
    return new ClientRequest(cql, level, nowSeconds, pageSize, state, write, read);
  }

  @Override
  public String toString() {
    return cql + " at " + level;
  }
}
