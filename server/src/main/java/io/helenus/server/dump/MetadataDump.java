package io.helenus.server.dump;

import io.helenus.server.consensus.AcceptedValue;
import io.helenus.server.consensus.Ballot;
import io.helenus.server.consensus.RegisterState;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.MetadataEntry;
import io.helenus.server.metadata.MetadataVisitor;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.metadata.Proposal;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnMask;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaDescriber;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.UserType;
import io.helenus.storage.engine.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;

/** Converts the contents of a metadata log to documents. One thread. */
final class MetadataDump implements MetadataVisitor {
  private final DumpOutput out;

  MetadataDump(DumpOutput out) {
    this.out = out;
  }

  @Override
  public void snapshot(long offset, ClusterState state) {
    List<Fields> nodes = new ArrayList<>();
    state.nodes().values().forEach(node -> nodes.add(node(node)));
    out.print(
        "snapshot",
        new Fields()
            .put("offset", offset)
            .put("index", state.index())
            .put("cluster_name", state.clusterName())
            .put("cluster_id", String.valueOf(state.clusterId()))
            .put("voters", hostIds(state.voters()))
            .put("schema_epoch", state.schema().epoch())
            .put("schema_version", state.schema().version().toString())
            .put("last_table_id", state.lastTableId())
            .put("nodes", nodes));
    for (KeyspaceSchema keyspace : state.schema().keyspaces()) {
      if (!SchemaNames.isSystem(keyspace.name())) {
        out.print(
            "keyspace",
            keyspace(keyspace.name(), keyspace.durableWrites(), keyspace.replication()));
        keyspace.tables().forEach(table -> out.print("table", table(table)));
      }
    }
  }

  @Override
  public void entry(long offset, long index, Proposal proposal) {
    if (!out.countEntry()) {
      return;
    }
    out.print(
        "entry",
        new Fields()
            .put("offset", offset)
            .put("index", index)
            .put("proposer", proposal.id().proposer().toString())
            .put("life", Long.toHexString(proposal.id().life()))
            .put("number", proposal.id().number())
            .put("slot", proposal.slot())
            .putAll(fact(proposal.entry())));
  }

  @Override
  public void hostId(long offset, UUID hostId) {
    out.print("host id", new Fields().put("offset", offset).put("host_id", hostId.toString()));
  }

  @Override
  public void vote(long offset, long slot, RegisterState state) {
    if (!out.countEntry()) {
      return;
    }
    Fields fields = new Fields().put("offset", offset).put("slot", slot);
    Ballot promised = state.promised();
    if (promised != null) {
      fields.put("promised", ballot(promised));
    }
    AcceptedValue accepted = state.accepted();
    if (accepted != null) {
      fields.put("accepted", ballot(accepted.ballot())).put("value_bytes", accepted.value().length);
    }
    out.print("vote", fields);
  }

  private static String ballot(Ballot ballot) {
    return ballot.micros() + "/" + ballot.hostId() + "/" + Long.toHexString(ballot.life());
  }

  private static Fields fact(MetadataEntry entry) {
    return switch (entry) {
      case MetadataEntry.NodeJoined(ClusterNode node, String clusterName) ->
          change("node joined").put("cluster_name", clusterName).putAll(node(node));
      case MetadataEntry.NodeRegistered(UUID hostId, NodeAddresses addresses, String release) ->
          change("node registered")
              .put("host_id", hostId.toString())
              .put("addresses", addresses.toString())
              .put("release", release);
      case MetadataEntry.VotersChanged(List<UUID> voters) ->
          change("voters changed").put("voters", hostIds(voters));
      case MetadataEntry.TableTruncated(int tableId) ->
          new Fields().put("kind", "table truncated").put("storage_id", tableId);
      case MetadataEntry.SchemaChanged(SchemaEdit edit) -> fact(edit);
    };
  }

  private static String hostIds(List<UUID> ids) {
    return ids.stream().map(UUID::toString).collect(Collectors.joining(", "));
  }

  private static Fields fact(SchemaEdit edit) {
    return switch (edit) {
      case SchemaEdit.CreateKeyspace(String name, boolean durable, Replication replication) ->
          change("create keyspace").putAll(keyspace(name, durable, replication));
      case SchemaEdit.AlterKeyspace(String name, boolean durable, Replication replication) ->
          change("alter keyspace").putAll(keyspace(name, durable, replication));
      case SchemaEdit.DropKeyspace(String name) -> change("drop keyspace").put("keyspace", name);
      case SchemaEdit.CreateTable(TableSchema table) -> change("create table").putAll(table(table));
      case SchemaEdit.AlterTable(TableSchema table) -> change("alter table").putAll(table(table));
      case SchemaEdit.DropTable(String keyspace, String table) ->
          change("drop table").put("keyspace", keyspace).put("table", table);
      case SchemaEdit.CreateType(UserType type) -> change("create type").putAll(type(type));
      case SchemaEdit.AlterType(UserType type) -> change("alter type").putAll(type(type));
      case SchemaEdit.DropType(String keyspace, String type) ->
          change("drop type").put("keyspace", keyspace).put("type", type);
    };
  }

  private static Fields type(UserType type) {
    return new Fields()
        .put("keyspace", type.keyspace())
        .put("type", type.name())
        .put("definition", SchemaDescriber.createStatement(type));
  }

  private static Fields change(String name) {
    return new Fields().put("change", name);
  }

  private static Fields node(ClusterNode node) {
    List<String> tokens = new ArrayList<>();
    for (long token : node.tokens()) {
      tokens.add(Long.toString(token));
    }
    NodeAddresses addresses = node.addresses();
    return new Fields()
        .put("host_id", node.hostId().toString())
        .put("data_center", node.dataCenter())
        .put("rack", node.rack())
        .put("addresses", addresses == null ? "unknown" : addresses.toString())
        .put("release", node.release())
        .put("tokens", String.join(", ", tokens));
  }

  private static Fields keyspace(String name, boolean durable, Replication replication) {
    Fields options = new Fields();
    replication.toMap().forEach(options::put);
    return new Fields()
        .put("keyspace", name)
        .put("durable_writes", durable)
        .put("replication", options);
  }

  private static Fields table(TableSchema table) {
    List<Fields> columns = new ArrayList<>();
    table.columns().forEach(column -> columns.add(column(column)));
    Fields fields =
        new Fields()
            .put("keyspace", table.keyspace())
            .put("table", table.name())
            .put("id", table.id().toString());
    if (table.isCompact()) {
      fields.put("compact_storage", table.compactStorage().name().toLowerCase(Locale.ROOT));
    }
    fields
        .put("table_id", table.storageId())
        .put("has_tokens", table.partitioner() != Partitioner.LOCAL)
        .put("last_column_id", table.lastColumnId())
        .put("columns", columns);
    if (!table.indexes().isEmpty()) {
      fields.put("indexes", indexes(table));
    }
    ViewSchema view = table.view();
    return view == null
        ? fields.put("definition", SchemaDescriber.createStatement(table))
        : fields.put("view", view(view));
  }

  private static Fields view(ViewSchema view) {
    List<Fields> conditions = new ArrayList<>();
    for (ViewSchema.Condition condition : view.conditions()) {
      List<String> ids = condition.columnIds().stream().map(String::valueOf).toList();
      conditions.add(
          new Fields()
              .put("column_ids", String.join(", ", ids))
              .put("operator", condition.operator().name().toLowerCase(Locale.ROOT))
              .put("right", condition.right()));
    }
    Fields fields =
        new Fields()
            .put("base_table", view.baseTable())
            .put("base_id", view.baseId().toString())
            .put("all_columns", view.allColumns())
            .put("conditions", conditions);
    Integer keyColumn = view.keyColumn();
    return keyColumn == null ? fields : fields.put("key_column_id", keyColumn);
  }

  private static List<Fields> indexes(TableSchema table) {
    List<Fields> indexes = new ArrayList<>();
    for (IndexSchema index : table.indexes()) {
      indexes.add(
          new Fields()
              .put("id", index.id())
              .put("name", index.name())
              .put("kind", index.kind().name().toLowerCase(Locale.ROOT))
              .put("target", table.targetOf(index)));
    }
    return indexes;
  }

  private static Fields column(ColumnSchema column) {
    Fields fields =
        new Fields()
            .put("id", column.id())
            .put("name", column.name())
            .put("type", column.type().toCql())
            .put("kind", column.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    if (column.kind() == ColumnKind.CLUSTERING) {
      fields.put("order", column.descending() ? "desc" : "asc");
    }
    ColumnMask mask = column.mask();
    if (mask != null) {
      fields.put("mask", mask.toCql());
    }
    return column.constraints().isEmpty()
        ? fields
        : fields.put("constraints", column.constraintsCql());
  }
}
