package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests what reads load, when they wait and when they stop. */
class ReadPathTest {
  private ReadFixture fixture = ReadFixture.standard();

  private void apply(int partition, Consumer<MutationWriter> entries) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    ByteWriter prefix = Keys.prefix(partition);
    mutation.begin(Keys.token(partition), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    entries.accept(mutation);
    mutation.endTable().finish();
    fixture.apply(bytes);
  }

  private void applyRow(int partition, int a, int b, Consumer<MutationWriter> cells) {
    apply(
        partition,
        mutation -> {
          ByteWriter suffix = Keys.row(a, b);
          cells.accept(mutation.beginRow(suffix.segment(), 0, suffix.size()));
          mutation.endRow();
        });
  }

  private static ByteWriter slice(String text) {
    return new ByteWriter(16).putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void insert(int partition, int a, int b, long timestamp, String value) {
    ByteWriter plain = slice(value);
    applyRow(
        partition,
        a,
        b,
        row -> row.liveness(timestamp).cell(1, timestamp, plain.segment(), 0, plain.size()));
  }

  private void deletePartition(int partition, long timestamp) {
    apply(partition, mutation -> mutation.partitionDeletion(timestamp, 1000));
  }

  private static ReadRequest partition(int partition) {
    ByteWriter prefix = Keys.prefix(partition);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partition(prefix.segment(), 0, prefix.size());
  }

  private static ReadRequest row(int partition, int a, int b) {
    ByteWriter suffix = Keys.row(a, b);
    return partition(partition).addRow(suffix.segment(), 0, suffix.size()).columns(new int[] {1});
  }

  private static ReadRequest everything() {
    ByteWriter none = new ByteWriter(1);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partitions(none.segment(), 0, 0, none.segment(), 0, 0);
  }

  private int blockReads() {
    return Arrays.stream(fixture.diskReads()).sum();
  }

  /** Notes what a read says of its sources. */
  private static final class Sources implements RowSink {
    private int reports;
    private int files;
    private int blocks;
    private long bytes;

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public void sources(int readFiles, int readBlocks, long readBytes) {
      reports++;
      files += readFiles;
      blocks += readBlocks;
      bytes += readBytes;
    }
  }

  @Test
  void aReadTellsOnceHowManyFilesAndBlocksItRead() throws IOException {
    for (int file = 0; file < 2; file++) {
      for (int i = 0; i < 500; i++) {
        insert(file, i, 0, 10, "x".repeat(100));
      }
      fixture.flush();
    }
    Sources ofPartition = new Sources();
    assertSame(ReadCursor.Status.DONE, fixture.read(partition(1), ofPartition));
    assertEquals(1, ofPartition.reports);
    assertEquals(1, ofPartition.files, "the other file is excluded by its keys");
    assertTrue(ofPartition.blocks >= 4, "50 KB and the index: " + ofPartition.blocks);
    assertTrue(ofPartition.bytes > 50_000, "" + ofPartition.bytes);

    Sources ofAll = new Sources();
    assertSame(ReadCursor.Status.DONE, fixture.read(everything(), ofAll));
    assertEquals(1, ofAll.reports);
    assertEquals(2, ofAll.files);
    assertTrue(ofAll.blocks > ofPartition.blocks, "" + ofAll.blocks);

    insert(7, 1, 0, 10, "in the memtable");
    Sources ofMemtable = new Sources();
    assertSame(ReadCursor.Status.DONE, fixture.read(partition(7), ofMemtable));
    assertEquals(0, ofMemtable.files + ofMemtable.blocks);
  }

  @Test
  void aRowDecidedByANewerFileIsNotLookedUpInOlderOnes() throws IOException {
    for (int i = 0; i < 4; i++) {
      insert(1, 1, 1, 10 + i, "v" + i);
      fixture.flush();
    }
    fixture.readAll(row(1, 9, 9)); // loads the filters
    int[] before = fixture.diskReads();
    assertEquals(List.of("partition 1", "1,1 {1=v3@13}"), fixture.readAll(row(1, 1, 1)).lines);
    int[] after = fixture.diskReads();
    for (int i = 0; i < 3; i++) {
      assertEquals(before[i], after[i], "file " + i);
    }
    assertTrue(after[3] > before[3]);
  }

  /**
   * Writes what an UPDATE that only deletes a value writes, together with the wire value of its
   * key.
   */
  private void deleteValue(int partition, int a, int b, long timestamp, String form) {
    ByteWriter plain = slice(form);
    applyRow(
        partition,
        a,
        b,
        row ->
            row.tombstone(1, timestamp, 1000)
                .keyForm(RowModel.KEY_FORM, timestamp, plain.segment(), 0, plain.size()));
  }

  @Test
  void theWireValueOfAKeyDoesNotMakeARowExist() throws IOException {
    insert(1, 1, 1, 10, "old");
    fixture.flush();
    deleteValue(1, 1, 1, 20, "one");
    deleteValue(1, 2, 2, 20, "two");
    fixture.flush();
    for (int column : new int[] {1, RowModel.KEY_FORM}) {
      ReadRequest found = row(1, 1, 1).columns(new int[] {column});
      assertEquals(List.of("partition 1", "1,1"), withoutCells(fixture.readAll(found)));
      ReadRequest missing = row(1, 2, 2).columns(new int[] {column});
      assertEquals(List.of(), fixture.readAll(missing).lines);
    }
    assertEquals(List.of("partition 1", "1,1"), withoutCells(fixture.readAll(partition(1))));
  }

  private static List<String> withoutCells(RowCollector rows) {
    return rows.lines.stream().map(line -> line.replaceAll(" \\{.*", "")).toList();
  }

  @Test
  void compactionRemovesTheWireValueOfAKeyWithItsRow() throws IOException {
    deleteValue(1, 1, 1, 20, "one");
    fixture.flush();
    deleteValue(1, 1, 1, 30, "uno");
    fixture.flush();
    fixture.compact(0, 2, new PurgeRules(5000, 4000, (p, o, l) -> Long.MAX_VALUE));
    assertEquals(List.of(), fixture.files);
  }

  @Test
  void aPartitionDeletionEndsTheSearchForOlderRows() throws IOException {
    insert(1, 1, 1, 10, "old");
    fixture.flush();
    deletePartition(1, 20);
    fixture.flush();
    fixture.readAll(row(2, 9, 9));
    int before = fixture.diskReads()[0];
    assertEquals(List.of(), fixture.readAll(row(1, 1, 1)).lines);
    assertEquals(before, fixture.diskReads()[0] - 1, "no more than the filter");
  }

  @Test
  void readingAnAbsentPartitionLoadsNoBlock() throws IOException {
    for (int i = 0; i < 1000; i++) {
      insert(2 * i, 1, 1, 10, "v");
    }
    fixture.flush();
    fixture.readAll(partition(0));
    int before = blockReads();
    for (int i = 0; i < 200; i++) {
      assertEquals(List.of(), fixture.readAll(partition(2 * i + 1)).lines);
    }
    assertTrue(blockReads() - before <= 10, "blocks read: " + (blockReads() - before));
  }

  @Test
  void aReadOfCachedBlocksCompletesWithoutWaiting() throws IOException {
    for (int i = 0; i < 500; i++) {
      insert(1, i, 1, 10, "value of some length " + i);
    }
    fixture.flush();
    assertEquals(501, fixture.readAll(partition(1)).lines.size());
    ReadRequest request = partition(1);
    RowCollector collector = new RowCollector(request);
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      ReadCursor.Status status = cursor.advance(collector);
      while (status == ReadCursor.Status.YIELD) {
        status = cursor.advance(collector);
      }
      assertSame(ReadCursor.Status.DONE, status);
    }
    assertEquals(501, collector.lines.size());
  }

  /** How many calls a read from memory takes; the clock moves beyond a time slice at each look. */
  private int turns(ReadRequest request, int expectedLines) {
    RowCollector collector = new RowCollector(request);
    int turns = 1;
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      while (cursor.advance(collector) == ReadCursor.Status.YIELD) {
        turns++;
      }
    }
    assertEquals(expectedLines, collector.lines.size());
    return turns;
  }

  /** Reads to the end; fails if a slice passes on two large rows, or one without a yield before. */
  private void readLargeRows(ReadRequest request, int expectedLines) {
    RowCollector collector = new RowCollector(request);
    boolean yielded = false;
    int large = 0;
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      ReadCursor.Status status;
      do {
        status = cursor.advance(collector);
        int before = large;
        large = (int) collector.lines.stream().filter(line -> line.length() > 256 * 1024).count();
        assertTrue(large - before <= (yielded ? 1 : 0), large + " large rows after " + before);
        yielded = status == ReadCursor.Status.YIELD;
        if (status == ReadCursor.Status.WAITING) {
          cursor.whenReady(() -> {});
          fixture.runTasks();
        }
      } while (status == ReadCursor.Status.WAITING || yielded);
    }
    assertEquals(expectedLines, collector.lines.size());
    assertEquals(10, large);
  }

  @Test
  void aLargeRowHasATimeSliceOfItsOwn() throws IOException {
    for (int i = 0; i < 10; i++) {
      insert(1, i, 1, 10, "x".repeat(256 * 1024));
      insert(1, i, 2, 10, "small");
    }
    ReadRequest rows = partition(1);
    ReadRequest reversed = partition(1).reversed(true);
    for (int i = 0; i < 10; i++) {
      ByteWriter suffix = Keys.row(i, 1);
      rows.addRow(suffix.segment(), 0, suffix.size());
    }
    for (int round = 0; round < 2; round++) {
      readLargeRows(partition(1), 21);
      readLargeRows(everything(), 21);
      readLargeRows(reversed, 21);
      readLargeRows(rows, 11);
      fixture.flush();
    }
  }

  @Test
  void manySingleRowsAreReadInSeveralTimeSlices() {
    for (int i = 0; i < 1000; i++) {
      insert(1, i, 1, 10, "v");
    }
    ReadRequest request = partition(1);
    for (int i = 0; i < 1000; i++) {
      ByteWriter suffix = Keys.row(i, 1);
      request.addRow(suffix.segment(), 0, suffix.size());
    }
    assertEquals(1000 / 128 + 1, turns(request, 1001));
  }

  @Test
  void theCacheStaysWithinItsBudgetDuringLargerScans() throws IOException {
    fixture = new ReadFixture(256 * 1024, ReadFixture.columns(), 64);
    for (int i = 0; i < 20_000; i++) {
      insert(i % 50, i, 1, 10, "value of some length that does not compress away " + i * 7919L);
    }
    fixture.flush();
    assertEquals(20_050, fixture.readAll(everything()).lines.size());
    assertEquals(20_050, fixture.readAll(everything()).lines.size());
    assertTrue(fixture.cache.bytes() <= 256 * 1024, "bytes: " + fixture.cache.bytes());
  }

  @Test
  void aSinkCanStopTheReadOrSkipThePartition() throws IOException {
    for (int i = 0; i < 300; i++) {
      insert(i % 3, i, 1, 10, "v");
    }
    fixture.flush();
    ReadRequest request = everything();
    RowCollector first = new RowCollector(request);
    first.skipAfter = 1;
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      fixture.drain(cursor, first);
    }
    assertEquals(6, first.lines.size());
    RowCollector second = new RowCollector(request);
    second.stopAfter = 5;
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      fixture.drain(cursor, second);
    }
    assertEquals(5, second.lines.size());
  }

  @Test
  void aDamagedBlockFailsOnlyReadsThatNeedIt() throws IOException {
    insert(1, 1, 1, 10, "good");
    fixture.flush();
    insert(2, 1, 1, 10, "bad");
    fixture.flush();
    fixture.readAll(row(2, 9, 9));
    fixture.readAll(row(1, 9, 9));
    fixture.damage(1, 60);
    ReadRequest request = row(2, 1, 1);
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      StorageException error =
          assertThrows(
              StorageException.class, () -> fixture.drain(cursor, new RowCollector(request)));
      assertTrue(error.getMessage().contains("file-1"), error.getMessage());
    }
    assertEquals(List.of("partition 1", "1,1 {1=good@10}"), fixture.readAll(row(1, 1, 1)).lines);
    // again: the failure is not cached
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      assertThrows(StorageException.class, () -> fixture.drain(cursor, new RowCollector(request)));
    }
  }

  @Test
  void aCursorClosedWhileWaitingIsNotCalledBack() throws IOException {
    insert(1, 1, 1, 10, "v");
    fixture.flush();
    ReadRequest request = partition(1);
    ReadCursor cursor = fixture.reads.open(fixture.sources, request);
    assertSame(ReadCursor.Status.WAITING, cursor.advance(new RowCollector(request)));
    cursor.whenReady(() -> assertTrue(false, "closed"));
    cursor.close();
    cursor.close();
    fixture.runTasks();
    assertEquals(2, fixture.readAll(partition(1)).lines.size());
    assertEquals(0, fixture.snapshots.openCount());
  }

  @Test
  void cellsOfADroppedColumnAreHiddenUpToTheDrop() throws IOException {
    insert(1, 1, 1, 10, "before");
    insert(1, 2, 1, 30, "after");
    fixture.flush();
    insert(1, 3, 1, 10, "before");
    List<TableDescriptor.Column> columns = new ArrayList<>(ReadFixture.columns());
    columns.set(0, new TableDescriptor.Column(1, TableDescriptor.Kind.SIMPLE, 20));
    fixture.replaceColumns(columns);
    List<String> expected = List.of("partition 1", "1,1 {}", "2,1 {1=after@30}", "3,1 {}");
    assertEquals(expected, fixture.readAll(partition(1)).lines);
    assertEquals(expected, fixture.readAll(everything()).lines);
    fixture.flush();
    fixture.compact(0, 2, PurgeRules.KEEP_ALL);
    assertEquals(expected, fixture.readAll(partition(1)).lines);
  }

  @Test
  void deletionsThatMayCoverOlderDataSurviveACompaction() throws IOException {
    insert(1, 1, 1, 10, "old");
    fixture.flush();
    deletePartition(1, 20);
    insert(2, 1, 1, 10, "v");
    fixture.flush();
    insert(3, 1, 1, 10, "v");
    fixture.flush();
    // the file with the row is not part of the merge
    fixture.compact(1, 3, new PurgeRules(5000, 5000, (p, o, l) -> 10));
    assertEquals(List.of(), fixture.readAll(partition(1)).lines);
    fixture.compact(0, 2, new PurgeRules(5000, 5000, (p, o, l) -> Long.MAX_VALUE));
    assertEquals(2, fixture.files.get(0).statistics().entries());
    assertEquals(0, fixture.files.get(0).statistics().tombstones());
  }
}
