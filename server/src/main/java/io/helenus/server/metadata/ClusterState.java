package io.helenus.server.metadata;

import io.helenus.server.ring.ReplicationOptions;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaEditCheck;
import io.helenus.server.schema.SchemaNames;
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
import java.util.Objects;
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
  private final ClusterMembership members;
  private final Schema schema;
  private final int lastTableId;
  private final Map<Integer, Long> truncations;
  private final Map<UUID, LastProposal> lastProposals;
  private final TokenRing ring;

  ClusterState(
      long index,
      ClusterMembership members,
      Schema schema,
      int lastTableId,
      Map<Integer, Long> truncations,
      Map<UUID, LastProposal> lastProposals) {
    this(index, members, schema, lastTableId, truncations, lastProposals, ringOf(members.nodes()));
  }

  private ClusterState(
      long index,
      ClusterMembership members,
      Schema schema,
      int lastTableId,
      Map<Integer, Long> truncations,
      Map<UUID, LastProposal> lastProposals,
      TokenRing ring) {
    this.index = index;
    this.members = members;
    this.schema = schema;
    this.lastTableId = lastTableId;
    this.truncations = truncations;
    this.lastProposals = lastProposals;
    this.ring = ring;
  }

  /** The state before the first entry: only the system keyspaces. */
  public static ClusterState first(List<KeyspaceSchema> systemKeyspaces) {
    return new ClusterState(
        0,
        ClusterMembership.NONE,
        Schema.of(systemKeyspaces, new UUID(0x8000L, 0x8000000000000000L), 0),
        LAST_SYSTEM_TABLE_ID,
        Map.of(),
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
    return members.clusterName();
  }

  /** The members by host id, in the order in which they joined. */
  public Map<UUID, ClusterNode> nodes() {
    return members.nodes();
  }

  /** The member with a host id; null if there is none. */
  public @Nullable ClusterNode node(UUID hostId) {
    return members.nodes().get(hostId);
  }

  /** The id of the cluster, which never changes; null before the first node has joined. */
  public @Nullable UUID clusterId() {
    return members.clusterId();
  }

  /** The members that decide the next entry, an odd number; none before the first has joined. */
  public List<UUID> voters() {
    return members.voters();
  }

  /** The token ring of the members. */
  public TokenRing ring() {
    return ring;
  }

  /**
   * The keyspaces and tables; its epoch is the index of the last entry that changed or truncated
   * any of them.
   */
  public Schema schema() {
    return schema;
  }

  /** The largest storage id ever assigned to a table. */
  public int lastTableId() {
    return lastTableId;
  }

  /**
   * The index of the last entry that truncated each table, by storage id; tables that none has
   * truncated are not in it.
   */
  public Map<Integer, Long> truncations() {
    return truncations;
  }

  private boolean isReplicated(TableSchema table) {
    int nodes = members.nodes().size();
    if (nodes == 1) {
      return false;
    }
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    return keyspace != null
        && ReplicationOptions.stored(keyspace.replication().toMap(), nodes).replicationFactor() > 1;
  }

  /** The last proposal of each proposer that is in the log. */
  Map<UUID, LastProposal> lastProposals() {
    return lastProposals;
  }

  /**
   * The descriptors of all stored tables of the schema, for storage. Tables of several replicas
   * keep their deletions, until repair makes sure that all replicas have them.
   */
  public Tables tables() {
    List<TableDescriptor> live = new ArrayList<>();
    for (TableSchema table : schema.storedTables()) {
      live.add(isReplicated(table) ? table.descriptor().keepingDeletions() : table.descriptor());
    }
    return new Tables(schema.epoch(), live, lastTableId);
  }

  /**
   * Applies a proposal to this state: a pure function, which no entry makes fail. What cannot be
   * applied has no effect but that the outcome is kept.
   *
   * @throws IllegalStateException if the index does not follow that of this state
   */
  Decision apply(long entryIndex, Proposal proposal) {
    if (entryIndex != index + 1) {
      throw new IllegalStateException("entry " + entryIndex + " after entry " + index);
    }
    LastProposal last = lastProposals.get(proposal.id().proposer());
    if (last != null && last.id().equals(proposal.id())) {
      String refusal = last.outcome() == Outcome.REFUSED ? "it was refused before" : null;
      return new Decision(last.outcome(), refusal, unchanged(entryIndex, lastProposals));
    }
    if (proposal.slot() != entryIndex) {
      boolean newer = last == null || proposal.id().isAfter(last.id());
      return new Decision(
          Outcome.VOID,
          null,
          unchanged(entryIndex, newer ? with(proposal, Outcome.VOID) : lastProposals));
    }
    Map<UUID, LastProposal> applied = with(proposal, Outcome.APPLIED);
    String refusal;
    try {
      refusal = refusal(proposal.entry());
      if (refusal == null) {
        return new Decision(Outcome.APPLIED, null, changed(entryIndex, proposal, applied));
      }
    } catch (RuntimeException e) {
      // An entry breaks a rule that is not checked above; it does so on every node.
      refusal = e.toString();
    }
    return new Decision(
        Outcome.REFUSED, refusal, unchanged(entryIndex, with(proposal, Outcome.REFUSED)));
  }

  private Map<UUID, LastProposal> with(Proposal proposal, Outcome outcome) {
    TreeMap<UUID, LastProposal> with = new TreeMap<>(lastProposals);
    with.put(proposal.id().proposer(), new LastProposal(proposal.id(), outcome));
    return with;
  }

  private @Nullable String refusal(MetadataEntry entry) {
    return switch (entry) {
      case MetadataEntry.NodeJoined(ClusterNode node, String name) ->
          members.refusal(node, name, userKeyspace());
      case MetadataEntry.NodeRegistered registered -> members.refusal(registered);
      case MetadataEntry.VotersChanged(List<UUID> voters) -> members.refusal(voters);
      case MetadataEntry.TableTruncated(int tableId) ->
          tableId > LAST_SYSTEM_TABLE_ID && schema.table(tableId) != null
              ? null
              : "there is no table with storage id " + tableId;
      case MetadataEntry.SchemaChanged(SchemaEdit.CreateTable(TableSchema table))
          when table.storageId() <= lastTableId ->
          "storage id " + table.storageId() + " was assigned before";
      case MetadataEntry.SchemaChanged(SchemaEdit edit) -> SchemaEditCheck.refusal(schema, edit);
    };
  }

  private @Nullable String userKeyspace() {
    for (KeyspaceSchema keyspace : schema.keyspaces()) {
      if (!SchemaNames.isSystem(keyspace.name())) {
        return keyspace.name();
      }
    }
    return null;
  }

  private ClusterState unchanged(long newIndex, Map<UUID, LastProposal> proposals) {
    return new ClusterState(newIndex, members, schema, lastTableId, truncations, proposals, ring);
  }

  private ClusterState changed(
      long newIndex, Proposal proposal, Map<UUID, LastProposal> proposals) {
    return switch (proposal.entry()) {
      case MetadataEntry.NodeJoined(ClusterNode node, String name) ->
          withMembers(newIndex, members.with(node, name), proposals);
      case MetadataEntry.NodeRegistered registered ->
          withMembers(newIndex, members.with(registered), proposals);
      case MetadataEntry.VotersChanged(List<UUID> voters) ->
          new ClusterState(
              newIndex, members.with(voters), schema, lastTableId, truncations, proposals, ring);
      case MetadataEntry.TableTruncated(int tableId) ->
          new ClusterState(
              newIndex,
              members,
              schema.withEpoch(newIndex),
              lastTableId,
              withTruncation(tableId, newIndex),
              proposals,
              ring);
      case MetadataEntry.SchemaChanged(SchemaEdit edit) -> {
        int last =
            edit instanceof SchemaEdit.CreateTable(TableSchema table)
                ? Math.max(lastTableId, table.storageId())
                : lastTableId;
        Schema next = schema.apply(edit, versionAfter(proposal.bytes()), newIndex);
        yield new ClusterState(newIndex, members, next, last, truncationsOf(next), proposals, ring);
      }
    };
  }

  private ClusterState withMembers(
      long newIndex, ClusterMembership next, Map<UUID, LastProposal> proposals) {
    return new ClusterState(newIndex, next, schema, lastTableId, truncations, proposals);
  }

  /** With a table, and its views, truncated by an entry. */
  private Map<Integer, Long> withTruncation(int tableId, long entryIndex) {
    Map<Integer, Long> with = new TreeMap<>(truncations);
    with.put(tableId, entryIndex);
    TableSchema table = schema.table(tableId);
    if (table != null) {
      KeyspaceSchema keyspace = Objects.requireNonNull(schema.keyspace(table.keyspace()));
      keyspace.viewsOf(table).forEach(view -> with.put(view.storageId(), entryIndex));
    }
    return Collections.unmodifiableMap(with);
  }

  /** Without those of tables that have been dropped. */
  private Map<Integer, Long> truncationsOf(Schema next) {
    if (truncations.isEmpty()) {
      return truncations;
    }
    Map<Integer, Long> left = new TreeMap<>(truncations);
    left.keySet().removeIf(tableId -> next.table(tableId) == null);
    return Collections.unmodifiableMap(left);
  }

  private UUID versionAfter(byte[] entryBytes) {
    ByteWriter chain = new ByteWriter(entryBytes.length + 32);
    chain
        .putLong(schema.version().getMostSignificantBits())
        .putLong(schema.version().getLeastSignificantBits())
        .putBytes(entryBytes);
    long high = Hashing.xxh3(chain.segment(), 0, chain.size());
    chain.putLong(high);
    long low = Hashing.xxh3(chain.segment(), 0, chain.size());
    return new UUID(
        (high & ~0xF000L) | 0x8000L, (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }
}
