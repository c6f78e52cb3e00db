package io.helenus.server.dump;

import io.helenus.server.coordinator.BatchEntry;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes mutations, including those inside the entries of the batch log, and names their tables.
 * Malformed bytes raise IndexOutOfBoundsException or IllegalArgumentException. One thread.
 */
final class MutationFields {
  private final Schema schema;
  private final Map<Integer, EntryFields> byTable = new HashMap<>();

  MutationFields(Schema schema) {
    this.schema = schema;
  }

  /** The name of a table. */
  String tableName(int id) {
    if (id == BatchLog.TABLE_ID) {
      return "batch log";
    }
    TableSchema table = schema.table(id);
    return table == null ? "unknown" : table.keyspace() + "." + table.name();
  }

  /** The descriptions of a table's entries. */
  EntryFields entriesOf(int id) {
    EntryFields entries = byTable.get(id);
    if (entries == null) {
      entries =
          id == BatchLog.TABLE_ID
              ? new EntryFields(null, this::batch)
              : new EntryFields(schema.table(id), null);
      byTable.put(id, entries);
    }
    return entries;
  }

  /** Describes each of several mutations that follow one another, as in a record of a log. */
  List<Fields> mutations(MemorySegment mutations) {
    MutationView view = new MutationView().wrap(mutations, 0, mutations.byteSize());
    List<Long> bounds = new ArrayList<>();
    while (view.nextTable()) {
      if (bounds.isEmpty() || view.mutationOffset() != bounds.getLast()) {
        bounds.add(view.mutationOffset());
      }
    }
    bounds.add(mutations.byteSize());
    List<Fields> described = new ArrayList<>();
    for (int i = 1; i < bounds.size(); i++) {
      long from = bounds.get(i - 1);
      described.add(mutation(mutations.asSlice(from, bounds.get(i) - from)));
    }
    return described;
  }

  /** Describes a mutation. */
  Fields mutation(MemorySegment mutation) {
    // not shared: an entry of the batch log contains further mutations
    MutationView view = new MutationView().wrap(mutation, 0, mutation.byteSize());
    MemorySegment prefix = mutation.asSlice(view.prefixOffset(), view.prefixLength());
    List<Fields> tables = new ArrayList<>();
    while (view.nextTable()) {
      EntryFields entries = entriesOf(view.tableId());
      tables.add(
          new Fields()
              .put("table_id", view.tableId())
              .put("table", tableName(view.tableId()))
              .put("partition", entries.partition(prefix))
              .put(
                  "entries",
                  entries(entries, mutation.asSlice(view.entriesOffset(), view.entriesLength()))));
    }
    return new Fields()
        .put("bytes", mutation.byteSize())
        .put("token", view.token())
        .put("epoch", view.epoch())
        .put("tables", tables);
  }

  private static List<Fields> entries(EntryFields table, MemorySegment bytes) {
    List<Fields> described = new ArrayList<>();
    MutationEntry entry = new MutationEntry();
    long at = 0;
    while (at < bytes.byteSize()) {
      at = entry.wrap(bytes, at);
      described.add(entry(table, entry, bytes));
    }
    return described;
  }

  private static Fields entry(EntryFields table, MutationEntry entry, MemorySegment bytes) {
    MemorySegment value = bytes.asSlice(entry.valueOffset(), entry.valueLength());
    if (entry.kind() == RowFormat.ENTRY_PARTITION_DELETION) {
      return new Fields()
          .put("entry", "partition deletion")
          .put("deletion", EntryFields.deletion(value, 0));
    }
    MemorySegment suffix = bytes.asSlice(entry.suffixOffset(), entry.suffixLength());
    if (entry.kind() == RowFormat.ENTRY_RANGE_DELETION) {
      MemorySegment last = bytes.asSlice(entry.endSuffixOffset(), entry.endSuffixLength());
      return new Fields()
          .put("entry", "range deletion")
          .put("from", table.clustering(suffix))
          .put("to", table.clustering(last))
          .put("deletion", EntryFields.deletion(value, 0));
    }
    return new Fields()
        .put("entry", EntryFields.kind(suffix))
        .putAll(table.clustering(suffix))
        .putAll(table.value(suffix, value));
  }

  /** Describes an entry of the batch log; one that a replay would skip is shown as bytes. */
  private Fields batch(byte[] value) {
    MemorySegment bytes = segment(value);
    int version = BatchEntry.version(bytes, 0, value.length);
    Fields fields = new Fields().put("version", version);
    if (!BatchEntry.isKnown(version)) {
      return fields.put("unreadable", "unknown version").put("value", value);
    }
    try {
      BatchEntry batch = BatchEntry.decode(bytes, 0, value.length);
      List<Fields> mutations = new ArrayList<>();
      for (byte[] each : batch.mutations()) {
        mutations.add(mutation(segment(each)));
      }
      return fields.putMicros("written_at", batch.writtenMicros()).put("mutations", mutations);
    } catch (IndexOutOfBoundsException | IllegalArgumentException malformed) {
      return fields.put("unreadable", String.valueOf(malformed.getMessage())).put("value", value);
    }
  }

  private static MemorySegment segment(byte[] bytes) {
    return new ByteWriter(Math.max(1, bytes.length))
        .putBytes(bytes)
        .segment()
        .asSlice(0, bytes.length);
  }
}
