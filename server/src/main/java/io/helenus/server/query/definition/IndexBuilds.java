package io.helenus.server.query.definition;

/** Tells when indexes are built. Any thread. */
@FunctionalInterface
public interface IndexBuilds {
  /**
   * Calls back, on any thread, when an index covers all data of its table, or is not going to for
   * now. The ids are those of storage.
   */
  void whenBuilt(int tableId, int indexId, Runnable then);
}
