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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Encodes entries and snapshots; the format is described in docs/metadata-log.md. One thread. */
final class FactWriter {
  private final ByteWriter out;

  FactWriter(ByteWriter out) {
    this.out = out;
  }

  void entry(MetadataEntry entry) {
    switch (entry) {
      case MetadataEntry.NodeJoined(ClusterNode node, String clusterName) -> {
        out.putByte(FactFormat.NODE_JOINED);
        uuid(node.hostId());
        text(clusterName);
        text(node.dataCenter());
        text(node.rack());
        tokens(node);
      }
      case MetadataEntry.SchemaChanged(SchemaEdit edit) -> edit(edit);
    }
  }

  private void edit(SchemaEdit edit) {
    switch (edit) {
      case SchemaEdit.CreateKeyspace(String name, boolean durable, Replication replication) -> {
        out.putByte(FactFormat.CREATE_KEYSPACE);
        keyspace(name, durable, replication);
      }
      case SchemaEdit.AlterKeyspace(String name, boolean durable, Replication replication) -> {
        out.putByte(FactFormat.ALTER_KEYSPACE);
        keyspace(name, durable, replication);
      }
      case SchemaEdit.DropKeyspace(String name) -> {
        out.putByte(FactFormat.DROP_KEYSPACE);
        text(name);
      }
      case SchemaEdit.CreateTable(TableSchema table) -> {
        out.putByte(FactFormat.CREATE_TABLE);
        wholeTable(table);
      }
      case SchemaEdit.AlterTable(TableSchema table) -> {
        out.putByte(FactFormat.ALTER_TABLE);
        wholeTable(table);
      }
      case SchemaEdit.DropTable(String keyspace, String table) -> {
        out.putByte(FactFormat.DROP_TABLE);
        text(keyspace);
        text(table);
      }
      case SchemaEdit.CreateType(UserType type) -> {
        out.putByte(FactFormat.CREATE_TYPE);
        text(type.className());
      }
      case SchemaEdit.AlterType(UserType type) -> {
        out.putByte(FactFormat.ALTER_TYPE);
        text(type.className());
      }
      case SchemaEdit.DropType(String keyspace, String type) -> {
        out.putByte(FactFormat.DROP_TYPE);
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
    tableStart(table);
    tableOptions(table.options());
    tableColumns(table);
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
    text(view.baseTable());
    uuid(view.baseId());
    out.putByte(view.allColumns() ? 1 : 0);
    Integer keyColumn = view.keyColumn();
    out.putVarint(keyColumn == null ? 0 : keyColumn);
    out.putVarint(view.conditions().size());
    for (ViewSchema.Condition condition : view.conditions()) {
      out.putVarint(condition.columnIds().size());
      condition.columnIds().forEach(out::putVarint);
      out.putByte(condition.tuple() ? 1 : 0);
      out.putByte(FactFormat.VIEW_OPERATORS.indexOf(condition.operator()));
      out.putVarint(condition.values().size());
      for (List<byte[]> value : condition.values()) {
        value.forEach(bytes -> out.putVarint(bytes.length).putBytes(bytes));
      }
      text(condition.right());
    }
    out.putVarint(view.unselected().size());
    for (TableDescriptor.Column column : view.unselected()) {
      out.putVarint(column.id());
      out.putByte(FactFormat.CELL_KINDS.indexOf(column.kind()));
      out.putLong(column.droppedAtMicros());
    }
  }

  private void indexes(TableSchema table) {
    out.putVarint(table.lastIndexId());
    out.putVarint(table.indexes().size());
    for (IndexSchema index : table.indexes()) {
      text(index.name());
      out.putVarint(index.id());
      out.putByte(FactFormat.INDEX_KINDS.indexOf(index.kind()));
      out.putVarint(index.columnId());
      out.putByte(FactFormat.INDEX_TARGETS.indexOf(index.target()));
      options(index.options());
    }
  }

  private void tableColumns(TableSchema table) {
    out.putVarint(table.columns().size());
    for (ColumnSchema column : table.columns()) {
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
    }
    out.putVarint(table.droppedColumns().size());
    for (DroppedColumn dropped : table.droppedColumns()) {
      text(dropped.name());
      text(type(dropped.type()));
      out.putByte(dropped.kind().ordinal());
      out.putByte(dropped.multiCell() ? FactFormat.MULTI_CELL : 0);
      out.putVarint(dropped.id());
      out.putLong(dropped.droppedAtMicros());
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
  }

  void snapshot(ClusterState state) {
    out.putLong(state.index()).putLong(state.schema().epoch());
    uuid(state.schema().version());
    out.putVarint(state.lastTableId());
    text(state.clusterName());
    out.putVarint(state.nodes().size());
    for (ClusterNode node : state.nodes().values()) {
      uuid(node.hostId());
      text(node.dataCenter());
      text(node.rack());
      tokens(node);
    }
    out.putVarint(state.lastNumbers().size());
    for (Map.Entry<UUID, Long> last : state.lastNumbers().entrySet()) {
      uuid(last.getKey());
      out.putLong(last.getValue());
    }
    keyspaces(state.schema().keyspaces());
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
      keyspace(keyspace.name(), keyspace.durableWrites(), keyspace.replication());
      boolean system = SchemaNames.isSystem(keyspace.name());
      List<UserType> types = keyspace.types();
      out.putVarint(types.size());
      types.forEach(type -> text(type.className()));
      List<TableSchema> tables = system ? List.of() : keyspace.tables();
      out.putVarint(tables.size());
      for (TableSchema table : tables) {
        tableStart(table);
        out.putVarint(distinct.getOrDefault(table.options(), 0));
        tableColumns(table);
      }
    }
  }

  private void tokens(ClusterNode node) {
    long[] tokens = node.tokens();
    out.putVarint(tokens.length);
    for (long token : tokens) {
      out.putLong(token);
    }
  }

  private void options(Map<String, String> options) {
    out.putVarint(options.size());
    for (Map.Entry<String, String> option : options.entrySet()) {
      text(option.getKey());
      text(option.getValue());
    }
  }

  void uuid(UUID uuid) {
    out.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putVarint(bytes.length).putBytes(bytes);
  }
}
