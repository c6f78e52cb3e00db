package io.helenus.server.dump;

import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the contents of storage files to documents, up to a limit of entries. One thread. */
final class StorageDump implements InspectionSink {
  private final Schema schema;
  private final DumpOutput out;
  private final MutationView mutationView = new MutationView();
  private final MutationEntry mutationEntry = new MutationEntry();
  private final Map<Integer, EntryFields> byTable = new HashMap<>();
  private int tableId;

  StorageDump(Schema schema, DumpOutput out) {
    this.schema = schema;
    this.out = out;
  }

  @Override
  public void part(String kind, Fields fields) {
    if (kind.equals("edit") && !out.countEntry()) {
      return;
    }
    putNames(fields);
    if (fields.values().get("table_id") instanceof Long id) {
      tableId = id.intValue();
    }
    out.print(kind, fields);
  }

  /** Adds the names of the tables whose ids the fields contain. */
  private void putNames(Fields fields) {
    if (fields.values().get("table_id") instanceof Long id) {
      fields.put("table", name(id.intValue()));
    }
    for (Object value : fields.values().values()) {
      if (value instanceof List<?> list) {
        list.forEach(element -> putNames((Fields) element));
      }
    }
  }

  private String name(int id) {
    TableSchema table = table(id);
    return table == null ? "unknown" : table.keyspace() + "." + table.name();
  }

  private @Nullable TableSchema table(int id) {
    return schema.table(id);
  }

  private EntryFields fieldsOf(int id) {
    return byTable.computeIfAbsent(id, each -> new EntryFields(table(each)));
  }

  @Override
  public boolean entry(MemorySegment key, int prefixLength, MemorySegment value) {
    if (!out.countEntry()) {
      return false;
    }
    EntryFields entries = fieldsOf(tableId);
    MemorySegment suffix = key.asSlice(prefixLength);
    Fields fields = new Fields().put("partition", entries.partition(key.asSlice(0, prefixLength)));
    fields.putAll(entries.clustering(suffix)).putAll(entries.value(suffix, value));
    out.print(EntryFields.kind(suffix), fields);
    return true;
  }

  @Override
  public void record(long offset, MemorySegment mutation) {
    if (!out.countEntry()) {
      return;
    }
    mutationView.wrap(mutation, 0, mutation.byteSize());
    List<Fields> tables = new ArrayList<>();
    MemorySegment prefix =
        mutation.asSlice(mutationView.prefixOffset(), mutationView.prefixLength());
    while (mutationView.nextTable()) {
      int id = mutationView.tableId();
      Fields fields = new Fields().put("table_id", id).put("table", name(id));
      fields.put("partition", fieldsOf(id).partition(prefix));
      tables.add(fields.put("entries", entries(mutation)));
    }
    out.print(
        "record",
        new Fields()
            .put("offset", offset)
            .put("bytes", mutation.byteSize())
            .put("token", mutationView.token())
            .put("epoch", mutationView.epoch())
            .put("tables", tables));
  }

  private List<Fields> entries(MemorySegment mutation) {
    List<Fields> entries = new ArrayList<>();
    long at = mutationView.entriesOffset();
    long end = at + mutationView.entriesLength();
    while (at < end) {
      at = mutationEntry.wrap(mutation, at);
      entries.add(entry(mutation));
    }
    return entries;
  }

  private Fields entry(MemorySegment mutation) {
    EntryFields entries = fieldsOf(mutationView.tableId());
    MemorySegment value =
        mutation.asSlice(mutationEntry.valueOffset(), mutationEntry.valueLength());
    if (mutationEntry.kind() == RowFormat.ENTRY_PARTITION_DELETION) {
      return new Fields()
          .put("entry", "partition deletion")
          .put("deletion", EntryFields.deletion(value, 0));
    }
    MemorySegment suffix =
        mutation.asSlice(mutationEntry.suffixOffset(), mutationEntry.suffixLength());
    if (mutationEntry.kind() == RowFormat.ENTRY_RANGE_DELETION) {
      MemorySegment last =
          mutation.asSlice(mutationEntry.endSuffixOffset(), mutationEntry.endSuffixLength());
      return new Fields()
          .put("entry", "range deletion")
          .put("from", entries.clustering(suffix))
          .put("to", entries.clustering(last))
          .put("deletion", EntryFields.deletion(value, 0));
    }
    return new Fields()
        .put("entry", EntryFields.kind(suffix))
        .putAll(entries.clustering(suffix))
        .putAll(entries.value(suffix, value));
  }
}
