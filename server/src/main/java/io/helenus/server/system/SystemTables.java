package io.helenus.server.system;

import io.helenus.server.coordinator.ReplicaAccess.ReadReply;
import io.helenus.server.coordinator.VirtualTables;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;

/**
 * The tables of system, system_schema, system_views and system_virtual_schema: their rows are made
 * of the cluster's state and of what the node tells of itself at the moment of the read; for some
 * all shards are asked first. Tables of which a single node has nothing to tell are empty. Any
 * shard's thread.
 */
public final class SystemTables implements VirtualTables {
  private final Metadata metadata;
  private final NodeFacts facts;

  /** Of this cluster state and node. */
  public SystemTables(Metadata metadata, NodeFacts facts) {
    this.metadata = metadata;
    this.facts = facts;
  }

  @Override
  public void read(Shard from, ReadRequest request, RowSink sink, ReadReply reply) {
    ClusterState state = metadata.state();
    TableSchema table = state.schema().table(request.tableId());
    if (table == null || !table.isVirtual()) {
      throw new IllegalArgumentException("no virtual table has the id " + request.tableId());
    }
    VirtualRows rows = new VirtualRows(table, request, facts.startedSeconds() * 1_000_000L);
    if (table.keyspace().equals("system_views")) {
      ViewTables views = new ViewTables(state, metadata.localNode(), facts);
      if (ViewTables.isGathered(table.name())) {
        gather(from, views, rows, sink, reply);
        return;
      }
      views.produce(table.name(), rows);
    } else {
      produce(state, table, rows);
    }
    reply.read(rows.handTo(sink), rows.count(), 0, -1);
  }

  private void produce(ClusterState state, TableSchema table, VirtualRows rows) {
    switch (table.keyspace()) {
      case "system" ->
          new LocalTables(state, metadata.localNode(), facts).produce(table.name(), rows);
      case "system_schema" -> new SchemaTables(state.schema()).produce(table.name(), rows);
      case "system_virtual_schema" ->
          new VirtualSchemaTables(state.schema()).produce(table.name(), rows);
      default -> throw new IllegalStateException("a virtual table elsewhere: " + table);
    }
  }

  private void gather(
      Shard from, ViewTables views, VirtualRows rows, RowSink sink, ReadReply reply) {
    String table = rows.table().name();
    facts.gather(
        from,
        ViewTables.measuredKind(table),
        gathered -> {
          boolean stopped;
          try {
            views.produceGathered(table, gathered, rows);
            stopped = rows.handTo(sink);
          } catch (RuntimeException e) {
            reply.notRead(e);
            return;
          }
          reply.read(stopped, rows.count(), 0, -1);
        });
  }
}
