package io.helenus.server.query.select;

/** Tells which indexes can be used. Any thread. */
@FunctionalInterface
public interface IndexStatus {
  /** Whether an index covers all data of its table, by their ids in storage. */
  boolean isBuilt(int tableId, int indexId);
}
