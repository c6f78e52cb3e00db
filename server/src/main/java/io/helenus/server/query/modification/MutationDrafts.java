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

  // the draft of the last statement, its table and the values of its partition key; the draft is
  // null if the next statement must look it up
  private @Nullable TableSchema lastTable;
  private @Nullable PartitionDraft lastDraft;
  private final ByteWriter lastValues = new ByteWriter(64);

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

  /** Entries that follow each other in the buffer. */
  private static final class Entries {
    private final TableSchema table;
    private final int offset;
    private int length;

    Entries(TableSchema table, int offset, int length) {
      this.table = table;
      this.offset = offset;
      this.length = length;
    }
  }

  private record PartitionKey(String keyspace, byte[] prefix) {
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

    void add(TableSchema table, int offset, int length) {
      Entries last = entries.isEmpty() ? null : entries.getLast();
      if (last != null && last.table == table && last.offset + last.length == offset) {
        last.length += length;
      } else {
        entries.add(new Entries(table, offset, length));
      }
    }
  }

  /** Begins a batch. */
  void begin() {
    drafts = new LinkedHashMap<>();
    rewrites = new LinkedHashMap<>();
    entryBytes.clear(KEPT_BYTES);
    lastDraft = null;
    entries.takeCountedBytes();
  }

  /** Ends the batch, whose objects may be many. */
  void end() {
    drafts = Map.of();
    rewrites = Map.of();
    lastTable = null;
    lastDraft = null;
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
    PartitionDraft draft = lastDraft;
    if (draft != null && plan.table() == lastTable && hasLastValues(slots)) {
      int start = entryBytes.size();
      boolean any = entries.write(plan, bound, entryWriter);
      int counted = entries.takeCountedBytes();
      if (!any) {
        return 0;
      }
      draft.add(plan.table(), start, entryBytes.size() - start);
      return counted;
    }
    prefix.clear();
    long token = keys.putPrefix(plan.keys(), bound, slots, prefix);
    keepValues(plan, slots);
    return append(plan, token, false);
  }

  /** Whether the values of the partition key are those of the last statement. */
  private boolean hasLastValues(int[] slots) {
    int at = 0;
    for (int slot : slots) {
      int length = bound.length(slot);
      if (length != Bytes.getInt(lastValues.segment(), at)
          || !Bytes.equal(
              bound.segment(slot),
              bound.offset(slot),
              length,
              lastValues.segment(),
              at + Integer.BYTES,
              length)) {
        return false;
      }
      at += Integer.BYTES + length;
    }
    return true;
  }

  /** Keeps the values of the partition key for the next statement. */
  private void keepValues(ModificationPlan plan, int[] slots) {
    lastTable = plan.table();
    lastValues.clear(KEPT_BYTES);
    for (int slot : slots) {
      int length = bound.length(slot);
      lastValues.putInt(length).putBytes(bound.segment(slot), bound.offset(slot), length);
    }
  }

  /**
   * Appends the entries of the bound statement in one of its partitions, with its changes of lists.
   *
   * @return the size of the entries by Cassandra's count
   */
  int add(ModificationPlan plan, PartitionList.Partition partition, long now) {
    boolean rewritten = addRewrites(plan, partition, now);
    prefix.clear().putBytes(partition.prefix());
    int counted = append(plan, partition.token(), rewritten);
    lastDraft = null;
    return counted;
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
    lastDraft = null;
    int start = entryBytes.size();
    boolean any = entries.write(plan, bound, entryWriter);
    int counted = entries.takeCountedBytes();
    if (!any && !rewritten) {
      return 0;
    }
    PartitionDraft draft =
        drafts.computeIfAbsent(
            new PartitionKey(plan.keyspace().name(), prefix.toArray()),
            ignored -> new PartitionDraft(plan.keyspace(), token, new ArrayList<>()));
    boolean first = !draft.has(plan.table());
    draft.add(plan.table(), start, entryBytes.size() - start);
    lastDraft = draft;
    return counted + (first ? EntryWriter.EMPTY_UPDATE_BYTES : 0);
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
