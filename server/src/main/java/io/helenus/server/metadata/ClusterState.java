package io.helenus.server.metadata;

import io.helenus.server.metadata.MetadataLog.Outcome;
import io.helenus.server.metadata.MetadataLog.Proposal;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster state as of one entry of the metadata log: a pure function of the entries up to and
 * including it. Immutable; any thread.
 */
public final class ClusterState {
  /** The largest storage id reserved for system tables. */
  public static final int LAST_SYSTEM_TABLE_ID = 99;

  private final long index;
  private final String clusterName;
  private final Map<UUID, ClusterNode> nodes;
  private final Schema schema;
  private final int lastTableId;
  private final Map<UUID, Long> lastNumbers;
  private final TokenRing ring;

  ClusterState(
      long index,
      String clusterName,
      Map<UUID, ClusterNode> nodes,
      Schema schema,
      int lastTableId,
      Map<UUID, Long> lastNumbers) {
    this(index, clusterName, nodes, schema, lastTableId, lastNumbers, ringOf(nodes));
  }

  private ClusterState(
      long index,
      String clusterName,
      Map<UUID, ClusterNode> nodes,
      Schema schema,
      int lastTableId,
      Map<UUID, Long> lastNumbers,
      TokenRing ring) {
    this.index = index;
    this.clusterName = clusterName;
    this.nodes = nodes;
    this.schema = schema;
    this.lastTableId = lastTableId;
    this.lastNumbers = lastNumbers;
    this.ring = ring;
  }

  /** The state before the first entry: only the system keyspaces. */
  public static ClusterState first(List<KeyspaceSchema> systemKeyspaces) {
    return new ClusterState(
        0,
        "",
        Map.of(),
        Schema.of(systemKeyspaces, new UUID(0x8000L, 0x8000000000000000L), 0),
        LAST_SYSTEM_TABLE_ID,
        Map.of());
  }

  private static TokenRing ringOf(Map<UUID, ClusterNode> nodes) {
    Map<RingNode, long[]> tokens = new LinkedHashMap<>();
    for (ClusterNode node : nodes.values()) {
      tokens.put(new RingNode(node.hostId(), node.dataCenter(), node.rack()), node.tokens());
    }
    return TokenRing.of(tokens);
  }

  /** The index of the last entry; 0 before the first. */
  public long index() {
    return index;
  }

  /** The name of the cluster; empty before the first node has joined. */
  public String clusterName() {
    return clusterName;
  }

  /** The members by host id, in the order in which they joined. */
  public Map<UUID, ClusterNode> nodes() {
    return Collections.unmodifiableMap(nodes);
  }

  /** The member with a host id; null if there is none. */
  public @Nullable ClusterNode node(UUID hostId) {
    return nodes.get(hostId);
  }

  /** The token ring of the members. */
  public TokenRing ring() {
    return ring;
  }

  /** The keyspaces and tables; its epoch is the index of the last entry that changed them. */
  public Schema schema() {
    return schema;
  }

  /** The largest storage id ever assigned to a table. */
  public int lastTableId() {
    return lastTableId;
  }

  Map<UUID, Long> lastNumbers() {
    return lastNumbers;
  }

  /** The number of a proposer's last applied proposal; 0 if there is none. */
  public long lastNumber(UUID proposer) {
    return lastNumbers.getOrDefault(proposer, 0L);
  }

  /** The descriptors of all stored tables of the schema, for storage. */
  public Tables tables() {
    List<TableDescriptor> live = new ArrayList<>();
    for (TableSchema table : schema.storedTables()) {
      live.add(table.descriptor());
    }
    return new Tables(schema.epoch(), live, lastTableId);
  }

  /**
   * Applies a proposal to this state; a pure function.
   *
   * @param entryBytes the encoded entry, from which the schema version is computed
   */
  Applied apply(long entryIndex, Proposal proposal, ByteWriter entryBytes) {
    if (entryIndex != index + 1) {
      throw new IllegalStateException("entry " + entryIndex + " after entry " + index);
    }
    if (proposal.number() <= lastNumber(proposal.proposer())) {
      return new Applied(Outcome.REPEATED, at(entryIndex, lastNumbers));
    }
    TreeMap<UUID, Long> numbers = new TreeMap<>(lastNumbers);
    numbers.put(proposal.proposer(), proposal.number());
    if (proposal.basedOn() >= 0 && proposal.basedOn() != schema.epoch()) {
      return new Applied(Outcome.STALE, at(entryIndex, numbers));
    }
    ClusterState changed =
        switch (proposal.entry()) {
          case MetadataEntry.NodeJoined(ClusterNode node, String name) ->
              joined(entryIndex, node, name, numbers);
          case MetadataEntry.SchemaChanged(SchemaEdit edit) ->
              changed(entryIndex, edit, entryBytes, numbers);
        };
    return new Applied(Outcome.APPLIED, changed);
  }

  /** The outcome of a proposal and the resulting state. */
  record Applied(Outcome outcome, ClusterState state) {}

  private ClusterState at(long newIndex, Map<UUID, Long> numbers) {
    return new ClusterState(newIndex, clusterName, nodes, schema, lastTableId, numbers, ring);
  }

  private ClusterState joined(
      long newIndex, ClusterNode node, String name, Map<UUID, Long> numbers) {
    Map<UUID, ClusterNode> all = new LinkedHashMap<>(nodes);
    all.put(node.hostId(), node);
    return new ClusterState(newIndex, name, all, schema, lastTableId, numbers);
  }

  private ClusterState changed(
      long newIndex, SchemaEdit edit, ByteWriter entryBytes, Map<UUID, Long> numbers) {
    int last =
        edit instanceof SchemaEdit.CreateTable(TableSchema table)
            ? Math.max(lastTableId, table.storageId())
            : lastTableId;
    Schema next = schema.apply(edit, versionAfter(entryBytes), newIndex);
    return new ClusterState(newIndex, clusterName, nodes, next, last, numbers, ring);
  }

  private UUID versionAfter(ByteWriter entryBytes) {
    ByteWriter chain = new ByteWriter(entryBytes.size() + 32);
    chain
        .putLong(schema.version().getMostSignificantBits())
        .putLong(schema.version().getLeastSignificantBits())
        .putBytes(entryBytes.segment(), 0, entryBytes.size());
    long high = Hashing.xxh3(chain.segment(), 0, chain.size());
    chain.putLong(high);
    long low = Hashing.xxh3(chain.segment(), 0, chain.size());
    return new UUID(
        (high & ~0xF000L) | 0x8000L, (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }
}
