package io.helenus.server.metadata;

import io.helenus.server.schema.ColumnConstraint;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnMask;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.CompactStorage;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TypeClassNames;
import io.helenus.server.types.TypeText;
import io.helenus.server.types.UserType;
import io.helenus.storage.engine.TableDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Decodes entries and snapshots; the format is described in docs/metadata-log.md. Malformed input
 * raises an IndexOutOfBoundsException or IllegalArgumentException; the caller adds the file name.
 * One thread.
 */
final class FactReader extends FactInput {
  private static final ColumnKind[] KINDS = ColumnKind.values();
  private static final ColumnConstraint.Kind[] CONSTRAINT_KINDS = ColumnConstraint.Kind.values();

  private final Map<String, CqlType> types = new HashMap<>();

  /**
   * Reads from position to limit.
   *
   * @param format the version of the format
   */
  FactReader(MemorySegment segment, long position, long limit, int format) {
    super(segment, position, limit, format);
  }

  /**
   * Reads an entry.
   *
   * @throws NewerReleaseException if only a later release reads it
   */
  MetadataEntry entry() {
    if (isDelimited()) {
      requireReadable();
    }
    int tag = u8();
    long outer = begin();
    MetadataEntry entry = entry(tag);
    end(outer);
    return entry;
  }

  private MetadataEntry entry(int tag) {
    return switch (tag) {
      case FactFormat.NODE_JOINED -> {
        UUID hostId = uuid();
        String clusterName = text();
        yield new MetadataEntry.NodeJoined(node(hostId), clusterName);
      }
      case FactFormat.NODE_REGISTERED -> {
        UUID hostId = uuid();
        NodeAddresses addresses = addresses();
        if (addresses == null) {
          throw new IllegalArgumentException("node " + hostId + " registers no addresses");
        }
        yield new MetadataEntry.NodeRegistered(hostId, addresses, text());
      }
      case FactFormat.VOTERS_CHANGED -> new MetadataEntry.VotersChanged(uuids());
      case FactFormat.TABLE_TRUNCATED -> new MetadataEntry.TableTruncated(count());
      case FactFormat.CREATE_KEYSPACE ->
          edit(new SchemaEdit.CreateKeyspace(text(), u8() == 1, replication()));
      case FactFormat.ALTER_KEYSPACE ->
          edit(new SchemaEdit.AlterKeyspace(text(), u8() == 1, replication()));
      case FactFormat.DROP_KEYSPACE -> edit(new SchemaEdit.DropKeyspace(text()));
      case FactFormat.CREATE_TABLE -> edit(new SchemaEdit.CreateTable(wholeTable()));
      case FactFormat.ALTER_TABLE -> edit(new SchemaEdit.AlterTable(wholeTable()));
      case FactFormat.DROP_TABLE -> edit(new SchemaEdit.DropTable(text(), text()));
      case FactFormat.CREATE_TYPE -> edit(new SchemaEdit.CreateType(userType()));
      case FactFormat.ALTER_TYPE -> edit(new SchemaEdit.AlterType(userType()));
      case FactFormat.DROP_TYPE -> edit(new SchemaEdit.DropType(text(), text()));
      default -> throw new IllegalArgumentException("entry of unknown kind " + tag);
    };
  }

  /** Reads a node, which ends the structure. */
  private ClusterNode node(UUID hostId) {
    String dataCenter = text();
    String rack = text();
    long[] tokens = tokens();
    if (!hasMore()) {
      return new ClusterNode(hostId, dataCenter, rack, tokens);
    }
    NodeAddresses addresses = addresses();
    return new ClusterNode(hostId, dataCenter, rack, tokens, addresses, text());
  }

  private static MetadataEntry edit(SchemaEdit edit) {
    return new MetadataEntry.SchemaChanged(edit);
  }

  private Replication replication() {
    return new Replication(text(), options());
  }

  private TableSchema wholeTable() {
    return table(text(), List.of());
  }

  /**
   * Reads a table; its options follow inline or are given as an index into the snapshot's distinct
   * options.
   */
  private TableSchema table(String keyspace, List<TableOptions> distinct) {
    long outer = begin();
    String name = text();
    UUID id = uuid();
    int storageId = count();
    int flags = u8();
    int lastColumnId = count();
    boolean indexed = (flags & FactFormat.INDEXED) != 0;
    int lastIndexId = indexed ? count() : 0;
    List<IndexSchema> indexes = indexed ? indexes() : List.of();
    ViewSchema view = (flags & FactFormat.VIEW) != 0 ? view() : null;
    TableOptions options = distinct.isEmpty() ? tableOptions() : distinct.get(count());
    TableSchemaBuilder table =
        new TableSchemaBuilder(keyspace, name, id, storageId, options)
            .partitioner(partitioner(flags))
            .compactStorage(compactStorage(flags))
            .lastColumnId(lastColumnId)
            .lastIndexId(lastIndexId);
    columns(table);
    indexes.forEach(table::add);
    if (view != null) {
      table.view(view);
    }
    end(outer);
    return table.build();
  }

  private ViewSchema view() {
    long outer = begin();
    String baseTable = text();
    UUID baseId = uuid();
    boolean allColumns = u8() == 1;
    int keyColumn = count();
    List<ViewSchema.Condition> conditions = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      conditions.add(viewCondition());
    }
    List<TableDescriptor.Column> unselected = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      unselected.add(new TableDescriptor.Column(count(), FactFormat.CELL_KINDS.get(u8()), i64()));
    }
    end(outer);
    return new ViewSchema(
        baseTable, baseId, allColumns, conditions, keyColumn == 0 ? null : keyColumn, unselected);
  }

  private ViewSchema.Condition viewCondition() {
    long outer = begin();
    List<Integer> columnIds = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      columnIds.add(count());
    }
    boolean tuple = u8() == 1;
    ViewSchema.Operator operator = FactFormat.VIEW_OPERATORS.get(u8());
    List<List<byte[]>> values = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      List<byte[]> value = new ArrayList<>();
      for (int j = columnIds.size(); j > 0; j--) {
        value.add(bytes(count()));
      }
      values.add(value);
    }
    String right = text();
    end(outer);
    return new ViewSchema.Condition(columnIds, tuple, operator, values, right);
  }

  private List<IndexSchema> indexes() {
    List<IndexSchema> indexes = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      long outer = begin();
      indexes.add(
          new IndexSchema(
              text(),
              count(),
              FactFormat.INDEX_KINDS.get(u8()),
              count(),
              FactFormat.INDEX_TARGETS.get(u8()),
              options()));
      end(outer);
    }
    return indexes;
  }

  private static Partitioner partitioner(int flags) {
    return (flags & FactFormat.ORDERED_BY_VALUE) == 0 ? Partitioner.MURMUR3 : Partitioner.LOCAL;
  }

  private static CompactStorage compactStorage(int flags) {
    if ((flags & FactFormat.COMPACT_STATIC) != 0) {
      return CompactStorage.STATIC;
    }
    return (flags & FactFormat.COMPACT_DENSE) != 0 ? CompactStorage.DENSE : CompactStorage.NONE;
  }

  private void columns(TableSchemaBuilder table) {
    int columns = count();
    int[] positions = new int[KINDS.length];
    for (int i = 0; i < columns; i++) {
      long outer = begin();
      String name = text();
      CqlType type = type();
      ColumnKind kind = KINDS[u8()];
      int flags = u8();
      boolean key = kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
      table.add(
          new ColumnSchema(
              name,
              type,
              kind,
              key ? positions[kind.ordinal()]++ : -1,
              (flags & FactFormat.DESCENDING) != 0,
              count(),
              (flags & FactFormat.MULTI_CELL) != 0,
              (flags & FactFormat.MASKED) != 0 ? mask() : null,
              (flags & FactFormat.CONSTRAINED) != 0 ? constraints() : List.of()));
      end(outer);
    }
    int dropped = count();
    for (int i = 0; i < dropped; i++) {
      long outer = begin();
      String name = text();
      CqlType type = type();
      ColumnKind kind = KINDS[u8()];
      boolean multiCell = (u8() & FactFormat.MULTI_CELL) != 0;
      table.add(new DroppedColumn(name, type, kind, count(), multiCell, i64()));
      end(outer);
    }
  }

  private List<ColumnConstraint> constraints() {
    List<ColumnConstraint> constraints = new ArrayList<>();
    for (int count = count(); count > 0; count--) {
      ColumnConstraint.Kind kind = CONSTRAINT_KINDS[u8()];
      int operator = u8();
      constraints.add(
          new ColumnConstraint(
              kind, operator == 0 ? null : FactFormat.OPERATORS.get(operator - 1), text()));
    }
    return constraints;
  }

  private ColumnMask mask() {
    String function = text();
    List<ColumnMask.Argument> arguments = new ArrayList<>();
    for (int count = count(); count > 0; count--) {
      CqlType type = type();
      int size = count();
      arguments.add(
          new ColumnMask.Argument(
              type, size == 0 ? null : ByteBuffer.wrap(bytes(size - 1)).asReadOnlyBuffer()));
    }
    return new ColumnMask(function, arguments);
  }

  private CqlType type() {
    String text = text();
    CqlType scalar = ScalarType.named(text);
    if (scalar != null) {
      return scalar;
    }
    CqlType known = types.get(text);
    if (known == null) {
      known =
          text.startsWith(ScalarType.CLASS_PREFIX)
              ? TypeClassNames.parse(text)
              : TypeText.parse(text);
      types.put(text, known);
    }
    return known;
  }

  private UserType userType() {
    String text = text();
    if (!(TypeClassNames.parse(text) instanceof UserType type)) {
      throw new IllegalArgumentException("not a user type: " + text);
    }
    return type;
  }

  private TableOptions tableOptions() {
    long outer = begin();
    String additionalWritePolicy = text();
    int flags = u8();
    TableOptions options =
        new TableOptions(
            additionalWritePolicy,
            (flags & FactFormat.AUTO_SNAPSHOT) != 0,
            f64(),
            options(),
            (flags & FactFormat.CDC) != 0,
            text(),
            options(),
            options(),
            f64(),
            i32(),
            options(),
            i32(),
            (flags & FactFormat.INCREMENTAL_BACKUPS) != 0,
            i32(),
            text(),
            i32(),
            i32(),
            text(),
            text());
    end(outer);
    return options;
  }

  /**
   * Reads a snapshot.
   *
   * @throws NewerReleaseException if only a later release reads it
   */
  ClusterState snapshot(List<KeyspaceSchema> systemKeyspaces) {
    if (isDelimited()) {
      requireReadable();
    }
    long outer = begin();
    long index = i64();
    long schemaEpoch = i64();
    UUID version = uuid();
    int lastTableId = count();
    String clusterName = text();
    Map<UUID, ClusterNode> nodes = new LinkedHashMap<>();
    for (int i = count(); i > 0; i--) {
      long each = begin();
      UUID hostId = uuid();
      nodes.put(hostId, node(hostId));
      end(each);
    }
    Map<UUID, LastProposal> proposals = new TreeMap<>();
    for (int i = count(); i > 0; i--) {
      LastProposal last = lastProposal();
      proposals.put(last.id().proposer(), last);
    }
    Schema schema = Schema.of(keyspaces(systemKeyspaces), version, schemaEpoch);
    ClusterMembership members =
        hasMore()
            ? new ClusterMembership(clusterName, u8() == 0 ? null : uuid(), nodes, uuids())
            : ClusterMembership.ofFounder(clusterName, nodes);
    Map<Integer, Long> truncations = new TreeMap<>();
    for (int i = hasMore() ? count() : 0; i > 0; i--) {
      truncations.put(count(), i64());
    }
    end(outer);
    return new ClusterState(index, members, schema, lastTableId, truncations, proposals);
  }

  private LastProposal lastProposal() {
    long outer = begin();
    UUID proposer = uuid();
    long life = isDelimited() ? i64() : 0;
    long number = i64();
    Outcome outcome = isDelimited() ? FactFormat.OUTCOMES.get(u8()) : Outcome.APPLIED;
    end(outer);
    return new LastProposal(new ProposalId(proposer, life, number), outcome);
  }

  private List<KeyspaceSchema> keyspaces(List<KeyspaceSchema> systemKeyspaces) {
    List<TableOptions> distinct = new ArrayList<>();
    for (int i = count(); i > 0; i--) {
      distinct.add(tableOptions());
    }
    Map<String, KeyspaceSchema> keyspaces = new TreeMap<>();
    for (KeyspaceSchema system : systemKeyspaces) {
      keyspaces.put(system.name(), system);
    }
    for (int i = count(); i > 0; i--) {
      long outer = begin();
      String name = text();
      boolean durable = u8() == 1;
      Replication replication = replication();
      List<UserType> types = new ArrayList<>();
      for (int j = count(); j > 0; j--) {
        types.add(userType());
      }
      List<TableSchema> tables = new ArrayList<>();
      for (int j = count(); j > 0; j--) {
        tables.add(table(name, distinct));
      }
      KeyspaceSchema system = SchemaNames.isSystem(name) ? keyspaces.get(name) : null;
      keyspaces.put(
          name,
          system == null
              ? withTypes(KeyspaceSchema.of(name, durable, replication, false, tables), types)
              : system.with(durable, replication));
      end(outer);
    }
    return new ArrayList<>(keyspaces.values());
  }

  private static KeyspaceSchema withTypes(KeyspaceSchema keyspace, List<UserType> types) {
    KeyspaceSchema with = keyspace;
    for (UserType type : types) {
      with = with.with(type);
    }
    return with;
  }
}
