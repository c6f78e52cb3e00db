package io.helenus.server.system;

import io.helenus.server.coordinator.ReplicaAccess.ReadReply;
import io.helenus.server.coordinator.VirtualTables;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metrics.MeasuredKind;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import java.util.function.Consumer;

/**
 * The tables of system, system_schema, system_views and system_virtual_schema. Their rows are built
 * during the read from the cluster's state and the node's facts; for some tables all shards are
 * asked first. A read builds the rows and values that it asks for: a row by its key costs the same
 * whatever the number of tables on the node, and a page of a scan starts where the one before
 * ended. Tables about which a single node has nothing to show are empty. Any shard's thread.
 */
public final class SystemTables implements VirtualTables {
  private final Metadata metadata;
  private final NodeFacts facts;
  private final Consumer<? super VirtualRows> whenRead;
  private final KeyspaceOrder.Cache orders = new KeyspaceOrder.Cache();

  /** Of this cluster state and node. */
  public SystemTables(Metadata metadata, NodeFacts facts) {
    this(metadata, facts, rows -> {});
  }

  /**
   * Of this cluster state and node.
   *
   * @param whenRead called before each reply, with the work that the read took
   */
  SystemTables(Metadata metadata, NodeFacts facts, Consumer<? super VirtualRows> whenRead) {
    this.metadata = metadata;
    this.facts = facts;
    this.whenRead = whenRead;
  }

  @Override
  public void read(Shard from, ReadRequest request, RowSink sink, ReadReply reply) {
    ClusterState state = metadata.state();
    TableSchema table = state.schema().table(request.tableId());
    if (table == null || !table.isVirtual()) {
      throw new IllegalArgumentException("no virtual table has the id " + request.tableId());
    }
    VirtualRows rows = new VirtualRows(table, request, sink, facts.startedSeconds() * 1_000_000L);
    switch (table.keyspace()) {
      case "system" -> {
        new LocalTables(state, metadata.localNode(), facts, rows).produce(orders);
        finish(rows, reply);
      }
      case "system_schema" -> {
        SchemaTables.produce(
            rows, new SchemaWalk(state.schema(), rows, orders, each -> !each.isVirtual()));
        finish(rows, reply);
      }
      case "system_virtual_schema" -> {
        VirtualSchemaTables.produce(
            rows, new SchemaWalk(state.schema(), rows, orders, KeyspaceSchema::isVirtual));
        finish(rows, reply);
      }
      case "system_views" -> readView(from, state, rows, reply);
      default -> throw new IllegalStateException("a virtual table of another keyspace: " + table);
    }
  }

  private void readView(Shard from, ClusterState state, VirtualRows rows, ReadReply reply) {
    String table = rows.table().name();
    MeasuredKind kind = MeasuredTables.measuredKind(table);
    if (kind != null) {
      SchemaWalk walk = new SchemaWalk(state.schema(), rows, orders, each -> !each.isVirtual());
      new MeasuredTables(kind, facts, from, rows, walk, read -> finish(read, reply), reply).start();
      return;
    }
    ViewTables views = new ViewTables(state, metadata.localNode(), facts, rows);
    if (ViewTables.isGathered(table)) {
      gather(from, views, rows, reply);
    } else {
      views.produce(orders);
      finish(rows, reply);
    }
  }

  private void gather(Shard from, ViewTables views, VirtualRows rows, ReadReply reply) {
    facts.gather(
        from,
        null,
        new int[0],
        gathered -> {
          try {
            views.produceGathered(gathered);
            rows.flush();
          } catch (Throwable e) {
            reply.notRead(from.fatal().contain(e));
            return;
          }
          finish(rows, reply);
        });
  }

  private void finish(VirtualRows rows, ReadReply reply) {
    rows.flush();
    whenRead.accept(rows);
    reply.read(rows.isStopped(), rows.rowsBuilt(), 0, -1);
  }
}
