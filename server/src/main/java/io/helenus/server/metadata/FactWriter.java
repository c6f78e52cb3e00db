package io.helenus.server.metadata;

import io.helenus.cql.ast.Operator;
import io.helenus.server.schema.ColumnConstraint;
import io.helenus.server.schema.ColumnMask;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.TableDescriptor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Encodes entries and snapshots in the newest format, which is described in docs/metadata-log.md.
 * One thread.
 */
final class FactWriter {
  private final ByteWriter out;

  FactWriter(ByteWriter out) {
    this.out = out;
  }

  void entry(MetadataEntry entry) {
    release(MetadataRelease.FIRST); // which reads every kind that there is
    out.putByte(tag(entry));
    int start = begin();
    fields(entry);
    end(start);
  }

  private void release(MetadataRelease release) {
    out.putVarint(release.major()).putVarint(release.minor()).putVarint(release.patch());
  }

  /** Begins a structure; returns its position, to be passed to {@link #end}. */
  private int begin() {
    int start = out.size();
    out.putInt(0);
    return start;
  }

  private void end(int start) {
    out.setInt(start, out.size() - start - Integer.BYTES);
  }

  private static int tag(MetadataEntry entry) {
    return switch (entry) {
      case MetadataEntry.NodeJoined _ -> FactFormat.NODE_JOINED;
      case MetadataEntry.NodeRegistered _ -> FactFormat.NODE_REGISTERED;
      case MetadataEntry.VotersChanged _ -> FactFormat.VOTERS_CHANGED;
      case MetadataEntry.TableTruncated _ -> FactFormat.TABLE_TRUNCATED;
      case MetadataEntry.SchemaChanged(SchemaEdit edit) ->
          switch (edit) {
            case SchemaEdit.CreateKeyspace _ -> FactFormat.CREATE_KEYSPACE;
            case SchemaEdit.AlterKeyspace _ -> FactFormat.ALTER_KEYSPACE;
            case SchemaEdit.DropKeyspace _ -> FactFormat.DROP_KEYSPACE;
            case SchemaEdit.CreateTable _ -> FactFormat.CREATE_TABLE;
            case SchemaEdit.AlterTable _ -> FactFormat.ALTER_TABLE;
            case SchemaEdit.DropTable _ -> FactFormat.DROP_TABLE;
            case SchemaEdit.CreateType _ -> FactFormat.CREATE_TYPE;
            case SchemaEdit.AlterType _ -> FactFormat.ALTER_TYPE;
            case SchemaEdit.DropType _ -> FactFormat.DROP_TYPE;
          };
    };
  }

  private void fields(MetadataEntry entry) {
    switch (entry) {
      case MetadataEntry.NodeJoined(ClusterNode node, String clusterName) -> {
        uuid(node.hostId());
        text(clusterName);
        node(node);
      }
      case MetadataEntry.NodeRegistered(UUID hostId, NodeAddresses addresses, String release) -> {
        uuid(hostId);
        addresses(addresses);
        text(release);
      }
      case MetadataEntry.VotersChanged(List<UUID> voters) -> uuids(voters);
      case MetadataEntry.TableTruncated(int tableId) -> out.putVarint(tableId);
      case MetadataEntry.SchemaChanged(SchemaEdit edit) -> edit(edit);
    }
  }

  private void edit(SchemaEdit edit) {
    switch (edit) {
      case SchemaEdit.CreateKeyspace(String name, boolean durable, Replication replication) ->
          keyspace(name, durable, replication);
      case SchemaEdit.AlterKeyspace(String name, boolean durable, Replication replication) ->
          keyspace(name, durable, replication);
      case SchemaEdit.DropKeyspace(String name) -> text(name);
      case SchemaEdit.CreateTable(TableSchema table) -> wholeTable(table);
      case SchemaEdit.AlterTable(TableSchema table) -> wholeTable(table);
      case SchemaEdit.DropTable(String keyspace, String table) -> {
        text(keyspace);
        text(table);
      }
      case SchemaEdit.CreateType(UserType type) -> text(type.className());
      case SchemaEdit.AlterType(UserType type) -> text(type.className());
      case SchemaEdit.DropType(String keyspace, String type) -> {
        text(keyspace);
        text(type);
      }
    }
  }

  private void keyspace(String name, boolean durable, Replication replication) {
    text(name);
    out.putByte(durable ? 1 : 0);
    text(replication.className());
    options(replication.options());
  }

  private void wholeTable(TableSchema table) {
    text(table.keyspace());
    int start = begin();
    tableStart(table);
    tableOptions(table.options());
    tableColumns(table);
    end(start);
  }

  private void tableStart(TableSchema table) {
    text(table.name());
    uuid(table.id());
    out.putVarint(table.storageId());
    int partitioner = table.partitioner() == Partitioner.MURMUR3 ? 0 : FactFormat.ORDERED_BY_VALUE;
    int compactStorage =
        switch (table.compactStorage()) {
          case NONE -> 0;
          case STATIC -> FactFormat.COMPACT_STATIC;
          case DENSE -> FactFormat.COMPACT_DENSE;
        };
    int indexed = table.lastIndexId() == 0 ? 0 : FactFormat.INDEXED;
    ViewSchema view = table.view();
    out.putByte(partitioner | compactStorage | indexed | (view == null ? 0 : FactFormat.VIEW));
    out.putVarint(table.lastColumnId());
    if (indexed != 0) {
      indexes(table);
    }
    if (view != null) {
      view(view);
    }
  }

  private void view(ViewSchema view) {
    int start = begin();
    text(view.baseTable());
    uuid(view.baseId());
    out.putByte(view.allColumns() ? 1 : 0);
    Integer keyColumn = view.keyColumn();
    out.putVarint(keyColumn == null ? 0 : keyColumn);
    out.putVarint(view.conditions().size());
    for (ViewSchema.Condition condition : view.conditions()) {
      int each = begin();
      out.putVarint(condition.columnIds().size());
      condition.columnIds().forEach(out::putVarint);
      out.putByte(condition.tuple() ? 1 : 0);
      out.putByte(FactFormat.VIEW_OPERATORS.indexOf(condition.operator()));
      out.putVarint(condition.values().size());
      for (List<byte[]> value : condition.values()) {
        value.forEach(bytes -> out.putVarint(bytes.length).putBytes(bytes));
      }
      text(condition.right());
      end(each);
    }
    out.putVarint(view.unselected().size());
    for (TableDescriptor.Column column : view.unselected()) {
      out.putVarint(column.id());
      out.putByte(FactFormat.CELL_KINDS.indexOf(column.kind()));
      out.putLong(column.droppedAtMicros());
    }
    end(start);
  }

  private void indexes(TableSchema table) {
    out.putVarint(table.lastIndexId());
    out.putVarint(table.indexes().size());
    for (IndexSchema index : table.indexes()) {
      int start = begin();
      text(index.name());
      out.putVarint(index.id());
      out.putByte(FactFormat.INDEX_KINDS.indexOf(index.kind()));
      out.putVarint(index.columnId());
      out.putByte(FactFormat.INDEX_TARGETS.indexOf(index.target()));
      options(index.options());
      end(start);
    }
  }

  private void tableColumns(TableSchema table) {
    out.putVarint(table.columns().size());
    for (ColumnSchema column : table.columns()) {
      int start = begin();
      text(column.name());
      text(type(column.type()));
      out.putByte(column.kind().ordinal());
      out.putByte(
          (column.descending() ? FactFormat.DESCENDING : 0)
              | (column.multiCell() ? FactFormat.MULTI_CELL : 0)
              | (column.mask() != null ? FactFormat.MASKED : 0)
              | (column.constraints().isEmpty() ? 0 : FactFormat.CONSTRAINED));
      out.putVarint(column.id());
      if (column.mask() != null) {
        mask(column.mask());
      }
      if (!column.constraints().isEmpty()) {
        constraints(column.constraints());
      }
      end(start);
    }
    out.putVarint(table.droppedColumns().size());
    for (DroppedColumn dropped : table.droppedColumns()) {
      int start = begin();
      text(dropped.name());
      text(type(dropped.type()));
      out.putByte(dropped.kind().ordinal());
      out.putByte(dropped.multiCell() ? FactFormat.MULTI_CELL : 0);
      out.putVarint(dropped.id());
      out.putLong(dropped.droppedAtMicros());
      end(start);
    }
  }

  private void constraints(List<ColumnConstraint> constraints) {
    out.putVarint(constraints.size());
    for (ColumnConstraint each : constraints) {
      out.putByte(each.kind().ordinal());
      Operator operator = each.operator();
      out.putByte(operator == null ? 0 : 1 + FactFormat.OPERATORS.indexOf(operator));
      text(each.term());
    }
  }

  private void mask(ColumnMask mask) {
    text(mask.function());
    out.putVarint(mask.arguments().size());
    for (ColumnMask.Argument argument : mask.arguments()) {
      text(type(argument.type()));
      byte[] value = argument.bytes();
      if (value == null) {
        out.putVarint(0);
      } else {
        out.putVarint(value.length + 1L).putBytes(value);
      }
    }
  }

  /** CQL, but the class name, which has the fields, for a type with user types. */
  private static String type(CqlType type) {
    return type.hasUserTypes() ? type.className() : type.toCql();
  }

  private void tableOptions(TableOptions options) {
    int start = begin();
    text(options.additionalWritePolicy());
    out.putByte(
        (options.allowAutoSnapshot() ? FactFormat.AUTO_SNAPSHOT : 0)
            | (options.cdc() ? FactFormat.CDC : 0)
            | (options.incrementalBackups() ? FactFormat.INCREMENTAL_BACKUPS : 0));
    out.putLong(Double.doubleToLongBits(options.bloomFilterFalsePositiveChance()));
    options(options.caching());
    text(options.comment());
    options(options.compaction());
    options(options.compression());
    out.putLong(Double.doubleToLongBits(options.crcCheckChance()));
    out.putInt(options.defaultTimeToLiveSeconds());
    options(options.extensions());
    out.putInt(options.gcGraceSeconds());
    out.putInt(options.maxIndexInterval());
    text(options.memtable());
    out.putInt(options.memtableFlushPeriodMillis());
    out.putInt(options.minIndexInterval());
    text(options.readRepair());
    text(options.speculativeRetry());
    end(start);
  }

  void snapshot(ClusterState state) {
    release(MetadataRelease.FIRST);
    int whole = begin();
    out.putLong(state.index()).putLong(state.schema().epoch());
    uuid(state.schema().version());
    out.putVarint(state.lastTableId());
    text(state.clusterName());
    out.putVarint(state.nodes().size());
    for (ClusterNode node : state.nodes().values()) {
      int start = begin();
      uuid(node.hostId());
      node(node);
      end(start);
    }
    out.putVarint(state.lastProposals().size());
    for (LastProposal last : state.lastProposals().values()) {
      int start = begin();
      ProposalId id = last.id();
      uuid(id.proposer());
      out.putLong(id.life()).putLong(id.number());
      out.putByte(FactFormat.OUTCOMES.indexOf(last.outcome()));
      end(start);
    }
    keyspaces(state.schema().keyspaces());
    UUID clusterId = state.clusterId();
    out.putByte(clusterId == null ? 0 : 1);
    if (clusterId != null) {
      uuid(clusterId);
    }
    uuids(state.voters());
    out.putVarint(state.truncations().size());
    state.truncations().forEach((tableId, index) -> out.putVarint(tableId).putLong(index));
    end(whole);
  }

  private void keyspaces(List<KeyspaceSchema> all) {
    List<KeyspaceSchema> kept = new ArrayList<>();
    Map<TableOptions, Integer> distinct = new LinkedHashMap<>();
    for (KeyspaceSchema keyspace : all) {
      if (!SchemaNames.isLocalSystem(keyspace.name())) {
        kept.add(keyspace);
        if (!SchemaNames.isSystem(keyspace.name())) {
          for (TableSchema table : keyspace.tables()) {
            distinct.putIfAbsent(table.options(), distinct.size());
          }
        }
      }
    }
    out.putVarint(distinct.size());
    for (TableOptions options : distinct.keySet()) {
      tableOptions(options);
    }
    out.putVarint(kept.size());
    for (KeyspaceSchema keyspace : kept) {
      int start = begin();
      keyspace(keyspace.name(), keyspace.durableWrites(), keyspace.replication());
      boolean system = SchemaNames.isSystem(keyspace.name());
      List<UserType> types = keyspace.types();
      out.putVarint(types.size());
      types.forEach(type -> text(type.className()));
      List<TableSchema> tables = system ? List.of() : keyspace.tables();
      out.putVarint(tables.size());
      for (TableSchema table : tables) {
        int each = begin();
        tableStart(table);
        out.putVarint(distinct.getOrDefault(table.options(), 0));
        tableColumns(table);
        end(each);
      }
      end(start);
    }
  }

  /** Writes what follows the host id of a node. */
  private void node(ClusterNode node) {
    text(node.dataCenter());
    text(node.rack());
    long[] tokens = node.tokens();
    out.putVarint(tokens.length);
    for (long token : tokens) {
      out.putLong(token);
    }
    addresses(node.addresses());
    text(node.release());
  }

  private void addresses(@Nullable NodeAddresses addresses) {
    out.putByte(addresses == null ? 0 : 1);
    if (addresses != null) {
      socketAddress(addresses.broadcast());
      socketAddress(addresses.client());
    }
  }

  private void socketAddress(InetSocketAddress address) {
    byte[] host = address.getAddress().getAddress();
    out.putByte(host.length).putBytes(host);
    out.putByte(address.getPort() >>> 8).putByte(address.getPort());
  }

  private void options(Map<String, String> options) {
    out.putVarint(options.size());
    for (Map.Entry<String, String> option : options.entrySet()) {
      text(option.getKey());
      text(option.getValue());
    }
  }

  private void uuids(List<UUID> uuids) {
    out.putVarint(uuids.size());
    uuids.forEach(this::uuid);
  }

  void uuid(UUID uuid) {
    out.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putVarint(bytes.length).putBytes(bytes);
  }
}
