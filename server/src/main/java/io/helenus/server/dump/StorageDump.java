package io.helenus.server.dump;

import io.helenus.server.schema.Schema;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.InspectionSink;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Converts the contents of storage files to documents, up to a limit of entries. One thread. */
final class StorageDump implements InspectionSink {
  private final MutationFields mutations;
  private final DumpOutput out;
  private int tableId;

  StorageDump(Schema schema, DumpOutput out) {
    this.mutations = new MutationFields(schema);
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
      fields.put("table", mutations.tableName(id.intValue()));
    }
    for (Object value : fields.values().values()) {
      if (value instanceof List<?> list) {
        list.forEach(element -> putNames((Fields) element));
      }
    }
  }

  @Override
  public boolean entry(MemorySegment key, int prefixLength, MemorySegment value) {
    if (!out.countEntry()) {
      return false;
    }
    EntryFields entries = mutations.entriesOf(tableId);
    MemorySegment suffix = key.asSlice(prefixLength);
    Fields fields = new Fields().put("partition", entries.partition(key.asSlice(0, prefixLength)));
    fields.putAll(entries.entry(suffix, value));
    out.print(EntryFields.kind(suffix), fields);
    return true;
  }

  @Override
  public void record(long offset, MemorySegment written) {
    if (out.countEntry()) {
      for (Fields mutation : mutations.mutations(written)) {
        out.print("record", new Fields().put("offset", offset).putAll(mutation));
      }
    }
  }
}
