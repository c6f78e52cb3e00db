package io.helenus.server.system;

import io.helenus.server.coordinator.ReplicaAccess.ReadReply;
import io.helenus.server.coordinator.VirtualTables;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metrics.TableMetric;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The tables of system, system_schema, system_views and system_virtual_schema. Their rows are built
 * during the read from the cluster's state and the node's facts; some tables first collect
 * statistics from all shards. A read builds only the rows and values that it returns: the cost of a
 * row by its key does not depend on the number of tables on the node, and a page of a scan starts
 * where the previous one ended. Tables of what Helenus does not do are empty. Any shard's thread.
 */
public final class SystemTables implements VirtualTables {
  private final Supplier<ClusterState> states;
  private final UUID hostId;
  private final NodeFacts facts;
  private final Consumer<? super VirtualRows> whenRead;
  private final KeyspaceOrder.Cache orders = new KeyspaceOrder.Cache();

  /**
   * Creates the tables of a node.
   *
   * @param states the present state of the cluster; any thread
   * @param hostId the id of the node, which is a member
   * @param facts about the node
   */
  public SystemTables(Supplier<ClusterState> states, UUID hostId, NodeFacts facts) {
    this(states, hostId, facts, rows -> {});
  }

  /**
   * Creates the tables of a node.
   *
   * @param whenRead called before each reply, with the number of rows and values built
   */
  SystemTables(
      Supplier<ClusterState> states,
      UUID hostId,
      NodeFacts facts,
      Consumer<? super VirtualRows> whenRead) {
    this.states = states;
    this.hostId = hostId;
    this.facts = facts;
    this.whenRead = whenRead;
  }

  @Override
  public void read(Shard from, ReadRequest request, RowSink sink, ReadReply reply) {
    ClusterState state = states.get();
    TableSchema table = state.schema().table(request.tableId());
    if (table == null || !table.isVirtual()) {
      throw new IllegalArgumentException("no virtual table with the id " + request.tableId());
    }
    VirtualRows rows = new VirtualRows(table, request, sink, facts.startedSeconds() * 1_000_000L);
    switch (table.keyspace()) {
      case "system" -> {
        new LocalTables(view(state), facts, rows).produce(orders);
        finish(rows, reply);
      }
      case "system_schema" -> {
        SchemaTables.produce(
            state.schema(),
            rows,
            new SchemaWalk(state.schema(), rows, orders, each -> !each.isVirtual()));
        finish(rows, reply);
      }
      case "system_virtual_schema" -> {
        VirtualSchemaTables.produce(
            rows, new SchemaWalk(state.schema(), rows, orders, KeyspaceSchema::isVirtual));
        finish(rows, reply);
      }
      case "system_views" -> readView(from, state, rows, reply);
      default -> throw new IllegalStateException("not a virtual keyspace: " + table);
    }
  }

  private ClusterView view(ClusterState state) {
    return new ClusterView(state, hostId, facts);
  }

  private void readView(Shard from, ClusterState state, VirtualRows rows, ReadReply reply) {
    String table = rows.table().name();
    TableMetric kind = TableMetricTables.measuredKind(table);
    if (kind != null) {
      SchemaWalk walk = new SchemaWalk(state.schema(), rows, orders, each -> !each.isVirtual());
      new TableMetricTables(kind, facts, from, rows, walk, read -> finish(read, reply), reply)
          .start();
      return;
    }
    ViewTables views = new ViewTables(view(state), facts, rows);
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
