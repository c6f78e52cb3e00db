package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.MutationWriter;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What counts for the limits of a request: partition 0 has a static row and five rows, 1 a static
 * row alone, 2 a static row and deleted rows, 3 two rows, 4 nothing but what is deleted, 5 a static
 * row alone.
 */
class RowLimitsTest {
  private static final int NONE = ReadLimits.NONE;

  private final ReadFixture fixture = ReadFixture.standard();

  @BeforeEach
  void write() {
    for (int row = 1; row <= 5; row++) {
      put(0, Keys.row(row, 1), true);
    }
    for (int partition : new int[] {0, 1, 2, 5}) {
      put(partition, Keys.staticRow(), true);
    }
    put(2, Keys.row(1, 1), false);
    put(2, Keys.row(2, 1), false);
    put(3, Keys.row(1, 1), true);
    put(3, Keys.row(2, 1), true);
    put(4, Keys.staticRow(), false);
    put(4, Keys.row(1, 1), false);
  }

  private void put(int partition, ByteWriter suffix, boolean live) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    ByteWriter prefix = Keys.prefix(partition);
    mutation.begin(Keys.token(partition), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    mutation.beginRow(suffix.segment(), 0, suffix.size());
    if (live) {
      mutation.cell(1, 10, new ByteWriter(1).putByte('v').segment(), 0, 1);
    } else {
      mutation.tombstone(1, 10, 990);
    }
    mutation.endRow().endTable().finish();
    fixture.apply(bytes);
  }

  private static ReadRequest everything() {
    ByteWriter none = new ByteWriter(1);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partitions(none.segment(), 0, 0, none.segment(), 0, 0);
  }

  private static ReadRequest partition(int partition) {
    ByteWriter prefix = Keys.prefix(partition);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partition(prefix.segment(), 0, prefix.size());
  }

  @Test
  void aStaticRowCountsIfItsPartitionHasNoRows() {
    ReadRequest request = everything().wantsStatic(true).rowLimits(4, 2, true);
    RowCollector rows = new RowCollector(request);
    assertEquals(Status.STOPPED, fixture.read(request, rows));
    List<String> expected =
        List.of(
            "partition 0",
            "static {1=v@10}",
            "1,1 {1=v@10}",
            "2,1 {1=v@10}",
            "partition 1",
            "static {1=v@10}",
            "partition 2",
            "static {1=v@10}");
    assertEquals(expected, rows.lines);

    request.rowLimits(4, 2, false);
    rows = new RowCollector(request);
    assertEquals(Status.STOPPED, fixture.read(request, rows));
    assertEquals("2,1 {1=v@10}", rows.lines.getLast());
    assertEquals("partition 3", rows.lines.get(rows.lines.size() - 3));
  }

  @Test
  void rowsThatDoNotExistAreReadAndNotCounted() {
    ReadRequest request = everything().wantsDeadRows(true).rowLimits(6, 2, true);
    RowCollector rows = new RowCollector(request);
    assertEquals(Status.DONE, fixture.read(request, rows));
    List<String> expected =
        List.of(
            "partition 0",
            "1,1 {1=v@10}",
            "2,1 {1=v@10}",
            "partition 2",
            "1,1 {}",
            "2,1 {}",
            "partition 3",
            "1,1 {1=v@10}",
            "2,1 {1=v@10}",
            "partition 4",
            "1,1 {}");
    assertEquals(expected, rows.lines);
  }

  @Test
  void allLimitsEndAReadWhereASinkWouldThatCounts() throws IOException {
    compareWithASink();
    fixture.flush();
    compareWithASink();
    fixture.replaceColumns(
        ReadFixture.columns().stream().filter(each -> each.id() < RowModel.MULTI_CELL).toList());
    compareWithASink();
  }

  private void compareWithASink() {
    for (boolean wantsStatic : new boolean[] {true, false}) {
      compareWithASink(everything().wantsStatic(wantsStatic));
      for (int partition = 0; partition < 6; partition++) {
        compareWithASink(partition(partition).wantsStatic(wantsStatic));
        compareWithASink(partition(partition).wantsStatic(wantsStatic).reversed(true));
        compareWithASink(partition(partition).wantsStatic(wantsStatic).wantsRows(false));
      }
    }
  }

  private void compareWithASink(ReadRequest request) {
    for (int limit = 1; limit < 13; limit++) {
      for (int perPartition = 1; perPartition < 5; perPartition++) {
        int rows = limit == 12 ? NONE : limit;
        int ofEach = perPartition == 4 ? NONE : perPartition;
        compareWithASink(request, rows, ofEach, true);
        compareWithASink(request, rows, ofEach, false);
      }
    }
  }

  private void compareWithASink(
      ReadRequest request, int rows, int perPartition, boolean staticRowsCount) {
    RowCollector collector = new RowCollector(request);
    CountingSink sink = new CountingSink(collector, rows, perPartition, staticRowsCount);
    Status expected = fixture.read(request.rowLimits(NONE, NONE, false), sink);
    RowCollector limited = new RowCollector(request);
    Status status = fixture.read(request.rowLimits(rows, perPartition, staticRowsCount), limited);
    String limits = rows + ", " + perPartition + ", " + staticRowsCount;
    assertEquals(collector.lines, limited.lines, limits);
    assertEquals(expected, status, limits);
  }
}
