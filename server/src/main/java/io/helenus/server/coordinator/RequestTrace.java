package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;

/**
 * The trace of a request whose client requested one, on one of the nodes that carry it out. Shard
 * thread only.
 */
public interface RequestTrace {
  /** The length of the id of a trace. */
  int ID_BYTES = 16;

  /** The id of its session in system_traces. */
  String id();

  /** Appends the id, which other nodes need to add to the trace: {@link #ID_BYTES}. */
  void putId(ByteWriter out);

  /** The name of a table, by its storage id. */
  String table(int tableId);

  /** Records an event of this node. After {@link #end} it is recorded too. */
  void event(String activity);

  /**
   * Ends the part of this node, just before the response. Further calls have no effect. On the node
   * that coordinates the request its duration is recorded.
   */
  void end();
}
