package io.helenus.server.dump;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.schema.Schema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Entries of the batch log that a replay skips; DumpTest has one that a node wrote. */
class MutationFieldsTest {
  private final MutationFields mutations =
      new MutationFields(Schema.of(List.of(), new UUID(0, 0), 0));

  /** What the description of a batch log entry with these bytes has under {@code batch}. */
  private Map<String, Object> batch(byte[] entry) {
    ByteWriter id = new ByteWriter(16).putLong(1).putLong(2);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(7, id.segment(), 0, id.size(), prefix);
    ByteWriter suffix = new ByteWriter(16);
    suffix.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    ByteWriter value = new ByteWriter(64).putBytes(entry);
    ByteWriter mutation = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(7, 0, prefix.segment(), 0, prefix.size()).beginTable(BatchLog.TABLE_ID);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(9);
    writer.cell(BatchLog.COLUMN_ID, 9, value.segment(), 0, entry.length).endRow();
    writer.endTable().finish();
    Fields fields = mutations.mutation(mutation.segment().asSlice(0, mutation.size()));
    Fields table = first(fields, "tables");
    assertEquals("batch log", table.values().get("table"));
    Fields cell = first(first(table, "entries"), "cells");
    return cell.values().get("batch") instanceof Fields batch ? batch.values() : Map.of();
  }

  private static Fields first(Fields fields, String name) {
    return fields.values().get(name) instanceof List<?> list
            && list.getFirst() instanceof Fields first
        ? first
        : new Fields();
  }

  @Test
  void anUnknownVersionIsShownAsBytes() {
    byte[] entry = {2, 5, 6};
    Map<String, Object> batch = batch(entry);
    assertEquals(2L, batch.get("version"));
    assertEquals("unknown version", batch.get("unreadable"));
    assertArrayEquals(entry, (byte[]) batch.get("value"));
  }

  @Test
  void anEntryThatEndsWithinAMutationIsShownAsBytes() {
    byte[] entry = {1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 3, 1};
    Map<String, Object> batch = batch(entry);
    assertEquals("batch log entry truncated within a mutation", batch.get("unreadable"));
    assertArrayEquals(entry, (byte[]) batch.get("value"));
  }

  @Test
  void aMalformedMutationIsShownAsBytes() {
    byte[] entry = {1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 1, 1};
    Map<String, Object> batch = batch(entry);
    assertEquals(1L, batch.get("version"));
    assertArrayEquals(entry, (byte[]) batch.get("value"));
  }

  @Test
  void mutationsThatFollowOneAnotherAreDescribedEach() {
    ByteWriter record = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(record);
    for (int token = 7; token < 10; token++) {
      ByteWriter prefix = new ByteWriter(64);
      KeyFormat.putPartition(token, MemorySegment.NULL, 0, 0, prefix);
      writer.begin(token, 0, prefix.segment(), 0, prefix.size()).beginTable(BatchLog.TABLE_ID);
      writer.partitionDeletion(5, 6).endTable().finish();
    }
    List<Fields> described = mutations.mutations(record.segment().asSlice(0, record.size()));
    assertEquals(
        List.of(7L, 8L, 9L), described.stream().map(each -> each.values().get("token")).toList());
    for (Fields each : described) {
      assertEquals(record.size() / 3L, each.values().get("bytes"));
      assertEquals("batch log", first(each, "tables").values().get("table"));
    }
  }
}
