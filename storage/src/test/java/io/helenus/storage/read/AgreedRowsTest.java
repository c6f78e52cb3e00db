package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link ReplicaMergeTest} does not see of rows that need no merge. */
class AgreedRowsTest {
  private final ReadFixture fixture = new ReadFixture(1 << 20, ReadFixture.simpleColumns(), 64);

  private void put(int row, int valueLength) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    ByteWriter prefix = Keys.prefix(0);
    ByteWriter suffix = Keys.row(row, 1);
    mutation.begin(Keys.token(0), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    mutation.beginRow(suffix.segment(), 0, suffix.size());
    mutation.cell(1, 10, MemorySegment.ofArray(new byte[valueLength]), 0, valueLength);
    mutation.endRow().endTable().finish();
    fixture.apply(bytes);
  }

  private static ReadRequest partition() {
    ByteWriter prefix = Keys.prefix(0);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partition(prefix.segment(), 0, prefix.size());
  }

  private MemorySegment reply(ReadRequest request, int limitBytes) {
    ByteWriter reply = Replicas.raw(fixture, request, limitBytes);
    return reply.segment().asSlice(0, reply.size());
  }

  private ReplicaMerge merge(ReadRequest request) {
    return fixture.reads.merge(fixture.sources, request, 3);
  }

  @Test
  void eachLargeRowHasASliceOfItsOwn() {
    put(1, 10);
    put(2, 300_000);
    put(3, 300_000);
    put(4, 10);
    ReadRequest request = partition();
    RowCollector rows = new RowCollector(request);
    try (ReplicaMerge merge = merge(request)) {
      merge.replies(List.of(reply(merge.nextRequest(), 1 << 20)));
      List<Integer> passed = new ArrayList<>();
      Status status = Status.YIELD;
      while (status == Status.YIELD) {
        status = merge.advance(rows);
        passed.add(rows.lines.size());
      }
      assertEquals(Status.DONE, status);
      assertEquals(List.of(2, 3, 5), passed);
      assertEquals(4, merge.rowsRead());
    }
  }

  /** The replicas agree on the first part and differ in the second. */
  @Test
  void aMergeGoesOnWhereTheyEnd() {
    put(1, 10);
    put(2, 10);
    put(3, 10);
    ReadRequest request = partition().rowLimits(2, 5, true);
    RowCollector rows = new RowCollector(request);
    try (ReplicaMerge merge = merge(request)) {
      merge.replies(List.of(reply(merge.nextRequest(), 1)));
      assertEquals(Status.WAITING, merge.advance(rows));
      assertEquals(Status.WAITING, merge.advance(rows), "until there are replies");
      assertEquals(1, merge.rowsRead());
      MemorySegment rest = reply(merge.nextRequest(), 1 << 20);
      merge.replies(List.of(rest, rest));
      assertEquals(Status.STOPPED, merge.advance(rows));
      assertEquals(2, merge.rowsRead());
    }
    assertEquals(3, rows.lines.size(), () -> "a partition and two rows: " + rows.lines);
  }

  @Test
  void aReplyThatIsCutOffIsRefused() {
    put(1, 10);
    ReadRequest request = partition();
    MemorySegment whole = reply(request, 1 << 20);
    for (long length = 0; length < whole.byteSize(); length++) {
      MemorySegment cut = whole.asSlice(0, length);
      RowCollector rows = new RowCollector(request);
      try (ReplicaMerge merge = merge(request)) {
        RuntimeException refused =
            assertThrows(
                RuntimeException.class,
                () -> {
                  merge.replies(List.of(cut));
                  merge.advance(rows);
                },
                () -> cut.byteSize() + " bytes of " + whole.byteSize());
        assertTrue(
            refused instanceof IllegalArgumentException
                || refused instanceof IndexOutOfBoundsException,
            refused::toString);
      }
    }
  }
}
