package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Filters and indexes of files within their share of memory. */
class FilterMemoryTest {
  private static final int PARTITIONS = 4_000;

  private ReadFixture fixture = ReadFixture.standard();

  private void limit(long bytes) {
    NodeMemory memory = new NodeMemory(Map.of(Use.FILTERS_AND_INDEXES, bytes), PageDiscard.NONE, 0);
    fixture = new ReadFixture(1 << 20, ReadFixture.columns(), 64, memory);
  }

  private MemoryShare share() {
    return fixture.memory.share(Use.FILTERS_AND_INDEXES);
  }

  /** Writes a file with one row in each of many partitions. */
  private Sstable file(int timestamp) throws IOException {
    for (int i = 0; i < PARTITIONS; i++) {
      ByteWriter bytes = new ByteWriter(64);
      ByteWriter prefix = Keys.prefix(i);
      ByteWriter suffix = Keys.row(1, 1);
      MutationWriter mutation = new MutationWriter(bytes);
      mutation.begin(Keys.token(i), 1, prefix.segment(), 0, prefix.size());
      mutation.beginTable(ReadFixture.TABLE).beginRow(suffix.segment(), 0, suffix.size());
      mutation.liveness(timestamp).endRow().endTable().finish();
      fixture.apply(bytes);
    }
    fixture.flush();
    return fixture.files.getLast();
  }

  private RowCollector read(int partition) {
    ByteWriter prefix = Keys.prefix(partition);
    ByteWriter suffix = Keys.row(1, 1);
    return fixture.readAll(
        new ReadRequest()
            .reset(ReadFixture.TABLE, 1000)
            .partition(prefix.segment(), 0, prefix.size())
            .addRow(suffix.segment(), 0, suffix.size()));
  }

  @Test
  void whatAnOpenFileKeepsIsCountedUntilItsLastRelease() throws IOException {
    Sstable file = file(10);
    long index = share().usedBytes();
    assertTrue(index > 0 && index < 4096, "the top index of a small file takes its own size");
    read(1);
    assertTrue(file.isFilterLoaded());
    assertEquals(index + file.filterBytes(), share().usedBytes());
    assertEquals(file.filterBytes(), fixture.filters.bytes());
    file(11);
    fixture.compact(0, 2, PurgeRules.KEEP_ALL);
    assertEquals(0, fixture.filters.bytes());
    fixture.files.getFirst().retain();
    long merged = share().usedBytes();
    fixture.files.getFirst().release();
    assertEquals(merged, share().usedBytes());
    fixture.files.getFirst().release(); // its opener
    fixture.files.getFirst().release(); // the sources of the table
    assertEquals(0, share().usedBytes());
  }

  @Test
  void withoutRoomAFileIsReadWithoutItsFilter() throws IOException {
    limit(4096);
    Sstable file = file(10);
    long index = share().usedBytes();
    assertTrue(file.filterBytes() + index > 4096);
    for (int i = 0; i < 10; i++) {
      assertEquals(2, read(i).lines.size());
    }
    assertFalse(file.isFilterLoaded());
    assertEquals(index, share().usedBytes());
  }

  @Test
  void aFilterThatIsNotUsedMakesRoomForOneThatIs() throws IOException {
    limit(40 << 10);
    Sstable first = file(10);
    long filter = first.filterBytes();
    assertEquals(16 << 10, filter);
    List<Sstable> others = List.of(file(11), file(12));
    read(1);
    assertEquals(2 * filter, fixture.filters.bytes());
    long most = share().usedBytes();
    for (int i = 0; i < 20; i++) {
      read(i);
    }
    assertEquals(most, share().usedBytes());
    Sstable wanted =
        fixture.files.stream().filter(each -> !each.isFilterLoaded()).findFirst().orElseThrow();
    assertTrue(wanted == first || others.contains(wanted));
    fixture.files.removeIf(each -> each != wanted);
    fixture.replaceColumns(ReadFixture.columns());
    for (int i = 0; i < 5; i++) {
      read(i);
    }
    assertTrue(wanted.isFilterLoaded());
    assertEquals(2 * filter, fixture.filters.bytes());
    assertEquals(most, share().usedBytes());
    assertTrue(share().highWaterBytes() <= 40 << 10);
  }

  @Test
  void indexesAreNeverRefusedAndPushFiltersOut() throws IOException {
    limit(20 << 10);
    Sstable file = file(10);
    read(1);
    assertTrue(file.isFilterLoaded());
    share().take(8 << 10); // indexes of other files
    fixture.filters.limit();
    assertFalse(file.isFilterLoaded());
    Sstable other = file(11);
    assertEquals(2, read(2).lines.size());
    assertFalse(file.isFilterLoaded() || other.isFilterLoaded());
    share().giveBack(8 << 10);
    read(3);
    assertTrue(file.isFilterLoaded() || other.isFilterLoaded());
  }

  @Test
  void manyReadsThatNeedAFilterLoadItOnce() throws IOException {
    Sstable file = file(10);
    ReadCursor[] cursors = new ReadCursor[3];
    RowCollector[] collectors = new RowCollector[3];
    for (int i = 0; i < 3; i++) {
      ByteWriter prefix = Keys.prefix(i);
      ReadRequest request =
          new ReadRequest()
              .reset(ReadFixture.TABLE, 1000)
              .partition(prefix.segment(), 0, prefix.size());
      collectors[i] = new RowCollector(request);
      cursors[i] = fixture.reads.open(fixture.sources, request);
      assertEquals(ReadCursor.Status.WAITING, cursors[i].advance(collectors[i]));
    }
    cursors[0].close();
    fixture.runTasks();
    assertTrue(file.isFilterLoaded());
    assertEquals(file.filterBytes(), fixture.filters.bytes());
    for (int i = 1; i < 3; i++) {
      while (cursors[i].advance(collectors[i]) == ReadCursor.Status.WAITING) {
        fixture.runTasks();
      }
      assertEquals(2, collectors[i].lines.size());
      cursors[i].close();
    }
  }
}
