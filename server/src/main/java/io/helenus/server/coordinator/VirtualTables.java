package io.helenus.server.coordinator;

import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;

/**
 * Tables whose rows are made when they are read; their storage ids are negative. Any shard's
 * thread.
 */
public interface VirtualTables {
  /**
   * Hands the rows asked for to the sink, in key order.
   *
   * @return whether the sink said stop
   */
  boolean read(ReadRequest request, RowSink sink);
}
