package io.helenus.server.coordinator;

import java.lang.foreign.MemorySegment;

/** The traces of requests that other nodes coordinate. One per shard; shard thread only. */
public interface RequestTraces {
  /**
   * Adds to a trace what this node does from now on.
   *
   * @param id the bytes of its id ({@link RequestTrace#putId}), from an offset on
   */
  RequestTrace join(MemorySegment id, long offset);
}
