package io.helenus.server.metadata;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.UserType;
import io.helenus.storage.engine.TableDescriptor;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A state as text that does not depend on how this release names things, to be compared with what
 * an earlier one wrote: names, ids, types and CQL.
 */
final class StateText {
  private final StringBuilder out = new StringBuilder();

  private StateText() {}

  static String of(ClusterState state) {
    StateText text = new StateText();
    text.line("index", state.index());
    text.line("cluster", state.clusterName());
    text.line("last table id", state.lastTableId());
    text.line("schema version", state.schema().version(), "epoch", state.schema().epoch());
    if (state.voters().size() > 1) {
      text.line("voters", state.voters());
    }
    if (!state.truncations().isEmpty()) {
      text.line("truncations", state.truncations());
    }
    for (ClusterNode node : state.nodes().values()) {
      text.line("node", node.hostId(), node.dataCenter(), node.rack());
      text.line("  tokens", Arrays.toString(node.tokens()));
      if (node.addresses() != null) {
        text.line("  at", node.addresses(), "release", node.release());
      }
    }
    for (LastProposal last : state.lastProposals().values()) {
      ProposalId id = last.id();
      text.line("last proposal", id.proposer(), id.life(), id.number(), last.outcome());
    }
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (!SchemaNames.isLocalSystem(keyspace.name())) {
        text.keyspace(keyspace);
      }
    }
    return text.out.toString();
  }

  private void keyspace(KeyspaceSchema keyspace) {
    line("keyspace", keyspace.name(), keyspace.durableWrites(), keyspace.replication().toMap());
    if (SchemaNames.isSystem(keyspace.name())) {
      return;
    }
    for (UserType type : keyspace.types()) {
      line(SchemaDescriber.createStatement(type));
    }
    keyspace.tables().forEach(table -> table(keyspace, table));
  }

  private void table(KeyspaceSchema keyspace, TableSchema table) {
    line("table", table.name(), table.id(), table.storageId());
    line("  ids up to", table.lastColumnId(), table.lastIndexId());
    line("  storage", table.compactStorage(), table.partitioner());
    for (ColumnSchema column : table.columns()) {
      line("  column", column.id(), column.name(), column.type().className(), column.kind());
      line("   ", column.position(), column.descending(), column.multiCell());
    }
    for (DroppedColumn column : table.droppedColumns()) {
      line("  dropped", column.id(), column.name(), column.type().className(), column.kind());
      line("   ", column.multiCell(), column.droppedAtMicros());
    }
    for (IndexSchema index : table.indexes()) {
      line("  index", index.id(), index.name(), index.kind(), index.columnId(), index.target());
      line("   ", index.options());
    }
    ViewSchema view = table.view();
    if (view != null) {
      view(keyspace, view);
    }
    line(SchemaDescriber.createStatement(keyspace, table));
  }

  private void view(KeyspaceSchema keyspace, ViewSchema view) {
    line("  view of", view.baseTable(), view.baseId(), view.allColumns(), view.keyColumn());
    line("  where", view.where(keyspace.baseOf(view)));
    for (ViewSchema.Condition condition : view.conditions()) {
      line("  condition", condition.columnIds(), condition.operator(), condition.right());
      for (List<byte[]> values : condition.values()) {
        line("    values", values.stream().map(HexFormat.of()::formatHex).toList());
      }
    }
    for (TableDescriptor.Column column : view.unselected()) {
      line("  unselected", column.id(), column.kind(), column.droppedAtMicros());
    }
  }

  private void line(Object... parts) {
    String separator = "";
    for (Object part : parts) {
      out.append(separator).append(part);
      separator = " ";
    }
    out.append('\n');
  }
}
