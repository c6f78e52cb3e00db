package io.helenus.server.query.modification;

import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.PartitionWrite;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.KeyWriter;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries of the statements of a batch and builds one mutation for each partition. The
 * entries are appended to one buffer and indexed by partition; a mutation has its tables in the
 * order of their first statements. Reused for successive batches. Shard thread only.
 */
final class MutationDrafts {
  private static final int KEPT_BYTES = 256 << 10;

  private final Coordinator coordinator;
  private final BoundSlots bound;
  private final WriteTimes times;
  private final CollectionElements.ListPaths listPaths;
  private final MutationLimit limit;
  private final EntryWriter entries;
  private final ByteWriter entryBytes = new ByteWriter(4096);
  private final MutationWriter entryWriter = new MutationWriter(entryBytes);
  private final ByteWriter prefix = new ByteWriter(128);
  private final KeyWriter keys = new KeyWriter();
  private Map<PartitionKey, PartitionDraft> drafts = Map.of();
  private Map<RewriteKey, ListRewrites> rewrites = Map.of();

  /** The partition of the last statement of the batch; null before the first. */
  private @Nullable PartitionKey lastKey;

  /**
   * Creates the drafts of a runner.
   *
   * @param times the times of the bound statement, filled by the runner
   */
  MutationDrafts(ModificationServices services, WriteTimes times) {
    this.coordinator = services.coordinator();
    this.bound = services.bound();
    this.times = times;
    this.listPaths = services.listPaths();
    this.limit = services.mutationLimit();
    this.entries = new EntryWriter(times, listPaths, true);
  }

  private record Entries(TableSchema table, int offset, int length) {}

  private record PartitionKey(String keyspace, byte[] prefix) {
    boolean isOf(String otherKeyspace, ByteWriter otherPrefix) {
      if (!keyspace.equals(otherKeyspace) || prefix.length != otherPrefix.size()) {
        return false;
      }
      for (int i = 0; i < prefix.length; i++) {
        if (prefix[i] != Bytes.getByte(otherPrefix.segment(), i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof PartitionKey(String otherKeyspace, byte[] otherPrefix)
          && keyspace.equals(otherKeyspace)
          && Arrays.equals(prefix, otherPrefix);
    }

    @Override
    public int hashCode() {
      return 31 * keyspace.hashCode() + Arrays.hashCode(prefix);
    }
  }

  /** A table's part of a partition that changes lists depending on their present elements. */
  private record RewriteKey(PartitionKey partition, TableSchema table) {}

  private record PartitionDraft(KeyspaceProperties keyspace, long token, List<Entries> entries) {
    boolean has(TableSchema table) {
      for (Entries each : entries) {
        if (each.table == table) {
          return true;
        }
      }
      return false;
    }
  }

  /** Begins a batch. */
  void begin() {
    drafts = new LinkedHashMap<>();
    rewrites = new LinkedHashMap<>();
    entryBytes.clear(KEPT_BYTES);
    lastKey = null;
    entries.takeCountedBytes();
  }

  /** Ends the batch, whose objects may be many. */
  void end() {
    drafts = Map.of();
    rewrites = Map.of();
    lastKey = null;
  }

  /** Whether the batch writes nothing. */
  boolean isEmpty() {
    return drafts.isEmpty();
  }

  /** The number of partitions that the batch writes to. */
  int partitions() {
    return drafts.size();
  }

  /** The tables that the batch writes to, in the order of their first statements. */
  Set<TableSchema> tables() {
    Set<TableSchema> tables = new LinkedHashSet<>();
    drafts.values().forEach(draft -> draft.entries.forEach(each -> tables.add(each.table)));
    return tables;
  }

  /** Whether a statement changes lists depending on their present elements. */
  boolean hasRewrites() {
    return !rewrites.isEmpty();
  }

  /** Adds the changes of lists that depend on their present elements to a batch of such. */
  void addRewritesTo(ListRewriteBatch batch) {
    List<PartitionKey> order = new ArrayList<>(drafts.keySet());
    rewrites.forEach(
        (key, changes) -> batch.add(order.indexOf(key.partition), key.table.storageId(), changes));
  }

  /**
   * Appends the entries of the bound statement in the partition of its key.
   *
   * @param slots the slots of the partition key's values
   * @return the size of the entries by Cassandra's count
   */
  int add(ModificationPlan plan, int[] slots) {
    prefix.clear();
    long token = keys.putPrefix(plan.keys(), bound, slots, prefix);
    return append(plan, token, false);
  }

  /**
   * Appends the entries of the bound statement in one of its partitions, with its changes of lists.
   *
   * @return the size of the entries by Cassandra's count
   */
  int add(ModificationPlan plan, PartitionList.Partition partition, long now) {
    boolean rewritten = addRewrites(plan, partition, now);
    prefix.clear().putBytes(partition.prefix());
    return append(plan, partition.token(), rewritten);
  }

  /** Adds the changes of lists of one statement in one partition; false if there are none. */
  private boolean addRewrites(ModificationPlan plan, PartitionList.Partition partition, long now) {
    if (plan.rewrites().isEmpty()) {
      return false;
    }
    RewriteKey key =
        new RewriteKey(new PartitionKey(plan.keyspace().name(), partition.prefix()), plan.table());
    ListRewrites known = rewrites.get(key);
    ListRewrites changes = known == null ? new ListRewrites(now, listPaths) : known;
    changes.add(plan, bound, times);
    if (changes.isEmpty()) {
      return false;
    }
    rewrites.put(key, changes);
    return true;
  }

  /**
   * Appends the entries of one statement in the partition whose key is in {@code prefix}; returns
   * their size by Cassandra's count.
   */
  private int append(ModificationPlan plan, long token, boolean rewritten) {
    entryWriter
        .begin(token, 0, prefix.segment(), 0, prefix.size())
        .beginTable(plan.table().storageId());
    int start = entryBytes.size();
    boolean any = entries.write(plan, bound, entryWriter);
    int length = entryBytes.size() - start;
    entryWriter.endTable().finish();
    int counted = entries.takeCountedBytes();
    if (!any && !rewritten) {
      return 0;
    }
    PartitionDraft draft = partition(plan.keyspace(), token);
    boolean first = !draft.has(plan.table());
    draft.entries.add(new Entries(plan.table(), start, length));
    return counted + (first ? EntryWriter.EMPTY_UPDATE_BYTES : 0);
  }

  /**
   * The draft of the partition whose key is in {@code prefix}: usually that of the statement
   * before.
   */
  private PartitionDraft partition(KeyspaceProperties keyspace, long token) {
    PartitionKey last = lastKey;
    if (last != null && last.isOf(keyspace.name(), prefix)) {
      return Objects.requireNonNull(drafts.get(last));
    }
    PartitionKey key = new PartitionKey(keyspace.name(), prefix.toArray());
    lastKey = key;
    return drafts.computeIfAbsent(
        key, ignored -> new PartitionDraft(keyspace, token, new ArrayList<>()));
  }

  /**
   * Builds the mutations, in buffers of the coordinator.
   *
   * @throws CqlException INVALID if one is too large
   */
  List<PartitionWrite> mutations(Schema schema) {
    List<PartitionWrite> writes = new ArrayList<>(drafts.size());
    for (Map.Entry<PartitionKey, PartitionDraft> entry : drafts.entrySet()) {
      PartitionDraft draft = entry.getValue();
      ByteWriter mutation = mutation(entry.getKey(), draft, schema.epoch());
      limit.check(mutation, schema);
      writes.add(new PartitionWrite(draft.keyspace, draft.token, mutation));
    }
    return writes;
  }

  private ByteWriter mutation(PartitionKey key, PartitionDraft draft, long epoch) {
    ByteWriter bytes = coordinator.takeBuffer();
    MutationWriter writer = new MutationWriter(bytes);
    prefix.clear().putBytes(key.prefix);
    writer.begin(draft.token, epoch, prefix.segment(), 0, prefix.size());
    Set<TableSchema> tables = new LinkedHashSet<>();
    draft.entries.forEach(each -> tables.add(each.table));
    for (TableSchema table : tables) {
      writer.beginTable(table.storageId());
      for (Entries each : draft.entries) {
        if (each.table == table) {
          writer.entries(entryBytes.segment(), each.offset, each.length);
        }
      }
      writer.endTable();
    }
    writer.finish();
    return bytes;
  }
}
