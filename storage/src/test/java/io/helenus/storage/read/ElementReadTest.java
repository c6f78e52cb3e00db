package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.MutationWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What reads of rows with large collections load and return. The tests count work, not time. */
class ElementReadTest {
  private static final int COLUMN = RowModel.MULTI_CELL;
  private static final int SIZE = 10_000;
  private static final int VALUE_BYTES = 40;
  private static final int BLOCK_BYTES = 16 << 10;

  // nothing stays in the cache, so that every use of a block is a read
  private final ReadFixture fixture = new ReadFixture(0, ReadFixture.columns(), 64);

  private void apply(int a, int b, Consumer<MutationWriter> cells) {
    apply(fixture, a, b, cells);
  }

  private static void apply(ReadFixture fixture, int a, int b, Consumer<MutationWriter> cells) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    ByteWriter prefix = Keys.prefix(1);
    mutation.begin(Keys.token(1), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    ByteWriter suffix = b == RowModel.STATIC ? Keys.staticRow() : Keys.row(a, b);
    cells.accept(mutation.beginRow(suffix.segment(), 0, suffix.size()));
    mutation.endRow().endTable().finish();
    fixture.apply(bytes);
  }

  private static void put(MutationWriter row, int number, long timestamp, String value) {
    ByteWriter path = new ByteWriter(4).putInt(number);
    ByteWriter plain = new ByteWriter(64).putBytes(value.getBytes(StandardCharsets.UTF_8));
    row.pathCell(COLUMN, timestamp, path.segment(), 0, 4, plain.segment(), 0, plain.size());
  }

  private static void remove(MutationWriter row, int number, long timestamp) {
    ByteWriter path = new ByteWriter(4).putInt(number);
    row.pathTombstone(COLUMN, timestamp, 950, path.segment(), 0, 4);
  }

  /** A collection with even numbers below 2 · SIZE, incompressible. */
  private void writeCollection(int a, boolean insert) {
    apply(
        a,
        1,
        row -> {
          if (insert) {
            row.liveness(10);
          }
          row.columnDeletion(COLUMN, 9, 900);
          for (int i = 0; i < SIZE; i++) {
            put(row, 2 * i, 10, value(2 * i));
          }
        });
  }

  private static String value(int number) {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(number);
    for (int i = 0; i < VALUE_BYTES; i++) {
      text.append((char) ('0' + random.nextInt(75)));
    }
    return text.toString();
  }

  private static ReadRequest row(int a) {
    ByteWriter prefix = Keys.prefix(1);
    ByteWriter suffix = Keys.row(a, 1);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, 1000)
        .partition(prefix.segment(), 0, prefix.size())
        .addRow(suffix.segment(), 0, suffix.size());
  }

  private static ReadRequest element(int a, int number) {
    ByteWriter path = new ByteWriter(4).putInt(number);
    return row(a).columns(new int[] {COLUMN}).addElement(COLUMN, path.segment(), 0, 4);
  }

  /** The blocks read in each file. */
  private int[] reads(ReadRequest request, List<String> expected) {
    int[] before = fixture.diskReads();
    RowCollector collector = fixture.readAll(request);
    int[] after = fixture.diskReads();
    assertEquals(expected, collector.lines);
    int[] reads = new int[after.length];
    for (int i = 0; i < after.length; i++) {
      reads[i] = after[i] - before[i];
    }
    return reads;
  }

  private static List<String> lines(int a, String cells) {
    return List.of("partition 1", a + ",1 {" + cells + "}");
  }

  private static String cell(int number) {
    return RowModel.pathCell(number) + "=" + value(number) + "@10";
  }

  @Test
  void oneElementTakesAtMostTwoDataBlocksOfAFile() throws IOException {
    writeCollection(1, true);
    writeCollection(3, false);
    fixture.flush();
    apply(1, 1, row -> put(row, 7, 20, "new"));
    apply(3, 1, row -> remove(row, 8, 20));
    fixture.flush();
    fixture.readAll(row(9)); // loads the filters
    for (int a : new int[] {1, 3}) {
      for (int number = 10; number < 2 * SIZE; number += 398) {
        for (int reads : reads(element(a, number), lines(a, cell(number)))) {
          assertTrue(reads <= 1 + 2, reads + " reads, one of them of the index, for " + number);
        }
      }
    }
    assertTrue(reads(element(1, 7), lines(1, "1007=new@20"))[0] <= 3);
    assertTrue(reads(element(3, 8), lines(3, ""))[0] <= 3, "a deleted element");
    assertTrue(reads(element(1, 9), lines(1, ""))[0] <= 3, "an absent element");
    assertTrue(reads(element(3, 9), lines(3, ""))[0] <= 3, "without a liveness");
    assertTrue(reads(element(1, 3 * SIZE), lines(1, ""))[0] <= 3, "after the last one");
  }

  @Test
  void aRangeTakesItsBlocksOnly() throws IOException {
    writeCollection(1, true);
    writeCollection(3, true);
    fixture.flush();
    fixture.readAll(row(9));
    ByteWriter from = new ByteWriter(4).putInt(9001);
    ByteWriter to = new ByteWriter(4).putInt(9005);
    ReadRequest few = row(1).addElements(COLUMN, from.segment(), 0, 4, to.segment(), 0, 4);
    int[] reads = reads(few, lines(1, cell(9002) + ", " + cell(9004)));
    assertTrue(reads[0] <= 4, reads[0] + " reads");
    reads = reads(row(3).columns(new int[] {1}), lines(3, ""));
    assertTrue(reads[0] <= 3, reads[0] + " reads without the collection");
  }

  @Test
  void aPathFollowedByAZeroByteIncludesItsElement() throws IOException {
    writeCollection(1, true);
    ByteWriter from = new ByteWriter(4).putInt(9002);
    ByteWriter to = new ByteWriter(5).putInt(9004).putByte(0);
    ReadRequest few = row(1).addElements(COLUMN, from.segment(), 0, 4, to.segment(), 0, 5);
    assertEquals(lines(1, cell(9002) + ", " + cell(9004)), fixture.readAll(few).lines);
    fixture.flush();
    assertEquals(lines(1, cell(9002) + ", " + cell(9004)), fixture.readAll(few).lines);
  }

  private void writeSmallCollection(long timestamp, boolean whole) {
    apply(
        1,
        1,
        row -> {
          row.liveness(timestamp);
          if (whole) {
            row.columnDeletion(COLUMN, timestamp - 1, 900);
          }
          put(row, 4, timestamp, "v" + timestamp);
        });
  }

  @Test
  void aCollectionReplacedInANewerFileIsNotLookedUpInOlderOnes() throws IOException {
    ReadRequest request = row(1).columns(new int[] {COLUMN});
    writeSmallCollection(10, true);
    fixture.flush();
    writeSmallCollection(20, true);
    apply(1, 1, row -> put(row, 6, 20, "v6"));
    fixture.flush();
    fixture.readAll(row(9)); // loads the filters
    List<String> expected = lines(1, "1004=v20@20, 1006=v6@20");
    assertEquals(0, reads(request, expected)[0]);
    // not replaced, and replaced by a write that is not newer than all of the older file
    writeSmallCollection(30, false);
    fixture.flush();
    fixture.readAll(row(9));
    int[] reads = reads(request, lines(1, "1004=v30@30, 1006=v6@20"));
    assertEquals(0, reads[0]);
    assertTrue(reads[1] > 0);
    apply(2, 1, row -> put(row, 6, 40, "v6"));
    apply(1, 1, row -> put(row, 2, 31, "v2"));
    fixture.flush();
    writeSmallCollection(35, true);
    fixture.flush();
    fixture.readAll(row(9));
    assertTrue(reads(request, lines(1, "1004=v35@35"))[3] > 0);
  }

  /** Stretches of elements that some sources have in common, which are read in runs. */
  @Test
  void elementsOfSeveralSourcesAreTheNewestOfEach() throws IOException {
    for (int seed = 1; seed <= 20; seed++) {
      ReadFixture runs = new ReadFixture(1 << 20, ReadFixture.columns(), 64);
      SplittableRandom random = new SplittableRandom(seed);
      List<TreeMap<Integer, Long>> newest = new ArrayList<>();
      for (int a = 0; a < 3; a++) {
        newest.add(new TreeMap<>());
      }
      int sources = 1 + random.nextInt(4);
      for (int source = 0; source < sources; source++) {
        for (int a = 0; a < 3; a++) {
          int row = a;
          apply(runs, a, 1, cells -> putStretches(cells, random, newest.get(row)));
        }
        switch (random.nextInt(3)) {
          case 0 -> runs.freeze();
          case 1 -> runs.flush();
          default -> {
            // into the same memtable
          }
        }
      }
      List<String> all = new ArrayList<>(List.of("partition 1"));
      for (int a = 0; a < 3; a++) {
        List<String> expected = lines(a, liveCells(newest.get(a)));
        assertEquals(expected, runs.readAll(row(a), true).lines, "seed " + seed);
        all.add(expected.get(1));
      }
      ByteWriter prefix = Keys.prefix(1);
      ReadRequest partition =
          new ReadRequest()
              .reset(ReadFixture.TABLE, 1000)
              .partition(prefix.segment(), 0, prefix.size());
      assertEquals(all, runs.readAll(partition, true).lines, "seed " + seed);
      ReadRequest everything = new ReadRequest().reset(ReadFixture.TABLE, 1000);
      assertEquals(all, runs.readAll(everything, true).lines, "seed " + seed);
    }
  }

  /** Writes some elements, at random times; tells the newest, of which odd times are deletions. */
  private static void putStretches(
      MutationWriter row, SplittableRandom random, TreeMap<Integer, Long> newest) {
    row.liveness(10);
    int percent = 100;
    int end = 0;
    for (int number = 0; number < 500; number++) {
      if (number == end) {
        percent = new int[] {0, 50, 95, 100}[random.nextInt(4)];
        end += 1 + random.nextInt(150);
      }
      if (random.nextInt(100) < percent) {
        long time = 2 * (10 + random.nextInt(3)) + (random.nextInt(40) == 0 ? 1 : 0);
        if (time % 2 == 0) {
          put(row, number, time, "v" + time);
        } else {
          remove(row, number, time);
        }
        newest.merge(number, time, Math::max);
      }
    }
  }

  private static String liveCells(TreeMap<Integer, Long> newest) {
    return newest.entrySet().stream()
        .filter(cell -> cell.getValue() % 2 == 0)
        .map(
            cell ->
                "%d=v%d@%d"
                    .formatted(RowModel.pathCell(cell.getKey()), cell.getValue(), cell.getValue()))
        .collect(Collectors.joining(", "));
  }

  @Test
  void scansPassOverUnneededElementsWithASeek() throws IOException {
    for (int a = 1; a <= 4; a++) {
      writeCollection(a, a % 2 == 0);
    }
    fixture.flush();
    fixture.readAll(row(9));
    ByteWriter path = new ByteWriter(4).putInt(6000);
    ByteWriter prefix = Keys.prefix(1);
    for (boolean reversed : new boolean[] {false, true}) {
      ReadRequest request =
          new ReadRequest()
              .reset(ReadFixture.TABLE, 1000)
              .partition(prefix.segment(), 0, prefix.size())
              .reversed(reversed)
              .addElement(COLUMN, path.segment(), 0, 4);
      int[] before = fixture.diskReads();
      assertEquals(5, fixture.readAll(request).lines.size());
      int reads = fixture.diskReads()[0] - before[0];
      int blocks = 4 * SIZE * VALUE_BYTES / BLOCK_BYTES;
      assertTrue(reads <= 4 * 12 && reads < blocks / 2, reads + " reads of " + blocks);
    }
  }

  @Test
  void aWholeRowIsReadOnce() throws IOException {
    writeCollection(1, true);
    fixture.flush();
    fixture.readAll(row(9));
    int[] before = fixture.diskReads();
    fixture.readAll(row(1));
    int reads = fixture.diskReads()[0] - before[0];
    long blocks = fixture.files.get(0).sizeBytes() / (BLOCK_BYTES / 2);
    assertTrue(reads > SIZE * VALUE_BYTES / BLOCK_BYTES && reads < blocks, reads + " reads");
  }

  @Test
  void deadElementsCountAsTombstones() throws IOException {
    apply(
        1,
        1,
        row -> {
          row.liveness(10);
          for (int i = 0; i < 20; i++) {
            put(row, i, 10, "v");
          }
        });
    fixture.flush();
    apply(
        1,
        1,
        row -> {
          for (int i = 0; i < 7; i++) {
            remove(row, i, 20);
          }
        });
    ReadRequest request = row(1);
    RowCollector collector = new RowCollector(request);
    try (ReadCursor cursor = fixture.reads.open(fixture.sources, request)) {
      fixture.drain(cursor, collector);
      assertEquals(1, cursor.rowsRead());
      assertEquals(7, cursor.tombstonesRead());
    }
  }

  @Test
  void compactionKeepsTheWireValueOfAKeyWhileTheRowHasElements() throws IOException {
    ByteWriter form = new ByteWriter(4).putBytes(new byte[] {'k'});
    apply(
        1,
        1,
        row -> {
          put(row, 1, 10, "v");
          row.keyForm(RowModel.KEY_FORM, 10, form.segment(), 0, 1);
        });
    apply(1, RowModel.STATIC, row -> put(row, 1, 10, "s"));
    apply(2, 1, row -> row.keyForm(RowModel.KEY_FORM, 10, form.segment(), 0, 1));
    fixture.flush();
    PurgeRules all = new PurgeRules(5000, 5000, (p, o, l) -> Long.MAX_VALUE);
    fixture.compact(0, 1, all);
    assertEquals(lines(1, "6=k@10, 1001=v@10"), fixture.readAll(row(1)).lines);
    // row, element and static element; the row that only has a wire value is gone
    assertEquals(3, fixture.files.get(0).statistics().entries());
    assertEquals(2, fixture.files.get(0).statistics().rows());
    apply(1, 1, row -> remove(row, 1, 20));
    fixture.flush();
    fixture.compact(0, 2, all);
    assertEquals(1, fixture.files.get(0).statistics().entries());
  }
}
