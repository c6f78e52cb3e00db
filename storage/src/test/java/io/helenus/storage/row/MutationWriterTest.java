package io.helenus.storage.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MutationWriterTest {
  private static final int SUFFIX_BYTES = 1;

  private final ByteWriter bytes = new ByteWriter(256);
  private final MutationWriter writer = new MutationWriter(bytes);

  @BeforeEach
  void beginRow() {
    ByteWriter prefix = slice("key");
    ByteWriter suffix = new ByteWriter(1).putByte(KeyFormat.SECTION_STATIC);
    bytes.clear();
    writer.begin(7, 1, prefix.segment(), 0, prefix.size()).beginTable(3);
    writer.beginRow(suffix.segment(), 0, suffix.size());
  }

  private static ByteWriter slice(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new ByteWriter(Math.max(1, utf8.length)).putBytes(utf8);
  }

  private MutationWriter put(int column, String path, String value) {
    ByteWriter at = slice(path);
    ByteWriter what = slice(value);
    return writer.pathCell(column, 10, at.segment(), 0, at.size(), what.segment(), 0, what.size());
  }

  private MutationWriter remove(int column, String path) {
    ByteWriter at = slice(path);
    return writer.pathTombstone(column, 10, 5, at.segment(), 0, at.size());
  }

  /** The cells of the mutation's only row as text. */
  private List<String> written() {
    writer.endRow().endTable().finish();
    MutationView mutation = new MutationView().wrap(bytes.segment(), 0, bytes.size());
    assertEquals(true, mutation.nextTable());
    long rowLengthAt = mutation.entriesOffset() + 1 + 1 + SUFFIX_BYTES;
    RowView row =
        new RowView()
            .wrap(
                bytes.segment(),
                Bytes.varintEnd(bytes.segment(), rowLengthAt),
                Bytes.getVarint(bytes.segment(), rowLengthAt));
    List<String> lines = new ArrayList<>();
    while (row.nextCell()) {
      lines.add(
          row.column()
              + "["
              + text(row.pathOffset(), row.pathLength())
              + "]="
              + text(row.valueOffset(), row.valueLength())
              + "@"
              + row.cellTimestamp()
              + "+"
              + row.cellTtl());
    }
    return lines;
  }

  private String text(long offset, int length) {
    return length < 0
        ? "-"
        : new String(Bytes.toArray(bytes.segment(), offset, length), StandardCharsets.UTF_8);
  }

  @Test
  void pathCellsAreReadBackAsWritten() {
    writer.rowExpiry(60, 1000);
    ByteWriter plain = slice("plain");
    writer.cell(1, 10, plain.segment(), 0, plain.size());
    writer.columnDeletion(2, 9, 5);
    put(2, "a", "1");
    remove(2, "b");
    put(2, "ba", "");
    put(4, "a", "2");
    assertEquals(
        List.of(
            "1[-]=plain@10+60",
            "2[-]=-@9+0",
            "2[a]=1@10+60",
            "2[b]=-@10+0",
            "2[ba]=@10+60",
            "4[a]=2@10+60"),
        written());
  }

  @Test
  void pathsOutOfOrderAreRefused() {
    put(2, "b", "1");
    assertThrows(IllegalArgumentException.class, () -> put(2, "b", "2"));
    assertThrows(IllegalArgumentException.class, () -> put(2, "a", "2"));
    assertThrows(IllegalArgumentException.class, () -> remove(2, "a"));
    assertThrows(IllegalArgumentException.class, () -> put(1, "c", "2"));
    put(2, "ba", "3");
    put(3, "a", "4");
    assertEquals(List.of("2[b]=1@10+0", "2[ba]=3@10+0", "3[a]=4@10+0"), written());
  }

  @Test
  void aColumnDeletionComesBeforeTheCellsOfItsColumn() {
    writer.columnDeletion(2, 9, 5);
    put(2, "a", "1");
    assertThrows(IllegalArgumentException.class, () -> writer.columnDeletion(2, 9, 5));
    assertEquals(List.of("2[-]=-@9+0", "2[a]=1@10+0"), written());
  }

  @Test
  void pathsHaveALimit() {
    put(2, "x".repeat(RowFormat.PATH_LIMIT_BYTES), "1");
    assertThrows(IllegalArgumentException.class, () -> put(3, "", "1"));
    assertThrows(
        IllegalArgumentException.class,
        () -> put(3, "x".repeat(RowFormat.PATH_LIMIT_BYTES + 1), "1"));
    assertEquals(1, written().size());
  }

  @Test
  void aNewRowDoesNotSeeThePathsOfThePreviousOne() {
    put(5, "z", "1");
    writer.endRow();
    ByteWriter suffix = new ByteWriter(1).putByte(KeyFormat.SECTION_STATIC);
    writer.beginRow(suffix.segment(), 0, suffix.size());
    put(2, "a", "1");
    writer.endRow().endTable().finish();
    assertEquals(3, new MutationView().wrap(bytes.segment(), 0, bytes.size()).prefixLength());
  }

  @Test
  void tablesOfMutationsThatFollowOneAnotherAreCopied() {
    put(1, "a", "first").endRow().endTable().beginTable(4).partitionDeletion(11, 6).endTable();
    writer.finish();
    ByteWriter other = new ByteWriter(8).putBytes("other".getBytes(StandardCharsets.UTF_8));
    int second = bytes.size();
    writer.begin(-9, 2, other.segment(), 0, other.size()).finish();
    int third = bytes.size();
    writer.begin(8, 3, other.segment(), 0, other.size());
    writer.beginTable(5).partitionDeletion(12, 7).endTable().finish();
    MutationView all = new MutationView().wrap(bytes.segment(), 0, bytes.size());
    for (int pass = 0; pass < 2; pass++) {
      assertCopied(all, 0, 3, 7, 1, "key");
      assertCopied(all, 0, 4, 7, 1, "key");
      assertCopied(all, third, 5, 8, 3, "other");
      assertEquals(false, all.nextTable());
      all.rewind();
      assertEquals(7, all.token());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> all.wrap(bytes.segment(), second, third - second + 5).nextTable());
  }

  private void assertCopied(
      MutationView all, int offset, int table, long token, long epoch, String key) {
    assertEquals(true, all.nextTable());
    assertEquals(offset, all.mutationOffset());
    ByteWriter copied = new ByteWriter(16);
    all.copyTable(copied);
    MutationView copy = new MutationView().wrap(copied.segment(), 0, copied.size());
    assertEquals(token, copy.token());
    assertEquals(epoch, copy.epoch());
    assertEquals(key, text(copied, copy.prefixOffset(), copy.prefixLength()));
    assertEquals(true, copy.nextTable());
    assertEquals(table, copy.tableId());
    assertEquals(
        0,
        Bytes.compare(
            bytes.segment(),
            all.entriesOffset(),
            all.entriesLength(),
            copied.segment(),
            copy.entriesOffset(),
            copy.entriesLength()));
    assertEquals(false, copy.nextTable());
  }

  private static String text(ByteWriter from, long offset, int length) {
    return new String(Bytes.toArray(from.segment(), offset, length), StandardCharsets.UTF_8);
  }
}
