package io.helenus.storage.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.helenus.storage.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MutationTimesTest {
  private static final int SECONDS = 1_800_000_000;

  private static ByteWriter slice(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new ByteWriter(utf8.length).putBytes(utf8);
  }

  /** A mutation with every kind of entry and of cell, written at a time. */
  private static ByteWriter mutation(long micros) {
    ByteWriter bytes = new ByteWriter(512);
    ByteWriter key = slice("key");
    ByteWriter value = slice("a value longer than a flag");
    ByteWriter path = slice("path");
    MutationWriter writer = new MutationWriter(bytes);
    writer.begin(7, 300, key.segment(), 0, key.size()).beginTable(3);
    writer.partitionDeletion(micros - 1, SECONDS);
    writer.beginRow(key.segment(), 0, key.size()).liveness(micros);
    writer.rowExpiry(60, SECONDS).rowDeletion(micros - 2, SECONDS);
    writer.cell(1, micros, value.segment(), 0, value.size());
    writer.cell(2, micros + 5, value.segment(), 0, value.size());
    writer.keyForm(3, micros, value.segment(), 0, value.size());
    writer.tombstone(4, micros + 1, SECONDS);
    writer.columnDeletion(200, micros - 1, SECONDS);
    writer.pathCell(200, micros, path.segment(), 0, path.size(), value.segment(), 0, value.size());
    writer.pathTombstone(201, micros, SECONDS, path.segment(), 0, path.size());
    writer.tombstone(300, micros, SECONDS).endRow();
    writer.rangeDeletion(
        key.segment(), 0, key.size(), value.segment(), 0, value.size(), micros - 1, SECONDS);
    writer.endTable().beginTable(4);
    writer.beginRow(key.segment(), 0, key.size());
    writer.cell(1, micros, value.segment(), 0, 0).endRow();
    writer.endTable().finish();
    return bytes;
  }

  @Test
  void aShiftedMutationIsTheOneWrittenAtThatTime() {
    long micros = 1_750_000_000_123_456L;
    ByteWriter shifted = new ByteWriter(512).putInt(0);
    ByteWriter placeholder = mutation(0);
    shifted.putBytes(placeholder.segment(), 0, placeholder.size());
    new MutationTimes().shift(shifted.segment(), 4, placeholder.size(), micros);
    assertArrayEquals(
        new ByteWriter(512).putInt(0).putBytes(mutation(micros).toArray()).toArray(),
        shifted.toArray());
  }
}
