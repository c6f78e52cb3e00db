package io.helenus.storage.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RowMergeTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int SIMPLE = 1;
  private static final int MULTI_CELL = 2;
  private static final int COUNTER = 3;

  private final RowMerge merge = new RowMerge();

  private static RowView view(ByteWriter row) {
    return new RowView().wrap(row.segment(), 0, row.size());
  }

  /** The contents of a row as text, independent of its encoding. */
  private static List<String> text(ByteWriter bytes) {
    List<String> lines = new ArrayList<>();
    if (bytes.size() == 0) {
      return lines;
    }
    RowView row = view(bytes);
    if (row.hasLiveness()) {
      lines.add("live " + row.timestamp() + "+" + row.ttl() + "/" + row.expirySeconds());
    }
    if (row.hasDeletion()) {
      lines.add("deleted " + row.deletionTimestamp() + "/" + row.deletionSeconds());
    }
    while (row.nextCell()) {
      int kind = row.cellFlags() & (RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION);
      lines.add(
          row.column()
              + " "
              + kind
              + " @"
              + row.cellTimestamp()
              + "+"
              + row.cellTtl()
              + "/"
              + row.cellSeconds()
              + " "
              + hex(row, row.pathOffset(), row.pathLength())
              + "="
              + hex(row, row.valueOffset(), row.valueLength()));
    }
    return lines;
  }

  private static String hex(RowView row, long offset, int length) {
    return length < 0
        ? "-"
        : HexFormat.of().formatHex(Bytes.toArray(row.segment(), offset, length));
  }

  private ByteWriter merged(ByteWriter a, ByteWriter b) {
    ByteWriter out = new ByteWriter(64);
    if (a.size() == 0 || b.size() == 0) {
      ByteWriter only = a.size() == 0 ? b : a;
      return out.putBytes(only.segment(), 0, only.size());
    }
    assertEquals(merge.merge(view(a), view(b), out), out.size() > 0);
    return out;
  }

  private ByteWriter randomRow(SplittableRandom random) {
    ByteWriter row = new ByteWriter(64);
    boolean lives = random.nextBoolean();
    boolean deletes = random.nextInt(4) == 0;
    boolean expires = random.nextInt(3) == 0;
    row.putByte(
        (lives ? RowFormat.ROW_LIVENESS : 0)
            | (expires ? RowFormat.ROW_EXPIRING : 0)
            | (deletes ? RowFormat.ROW_DELETION : 0));
    row.putLong(1 + random.nextInt(5));
    if (expires) {
      row.putInt(1 + random.nextInt(2)).putInt(100 + random.nextInt(3));
    }
    if (deletes) {
      row.putLong(1 + random.nextInt(5)).putInt(random.nextInt(2));
    }
    if (random.nextBoolean()) {
      cell(random, row, SIMPLE, -1, expires);
    }
    if (random.nextInt(3) == 0) {
      row.putVarint(MULTI_CELL).putByte(RowFormat.CELL_COLUMN_DELETION | 4);
      row.putLong(1 + random.nextInt(5)).putInt(random.nextInt(2));
    }
    for (int path = 0; path < 3; path++) {
      if (random.nextBoolean()) {
        cell(random, row, MULTI_CELL, path, expires);
      }
    }
    if (random.nextBoolean()) {
      counter(random, row);
    }
    ByteWriter normal = new ByteWriter(64);
    assertEquals(merge.normalize(view(row), normal), normal.size() > 0);
    return normal;
  }

  private static void cell(
      SplittableRandom random, ByteWriter row, int column, int path, boolean rowExpires) {
    int kind = random.nextInt(4);
    int flags =
        switch (kind) {
          case 0 -> RowFormat.CELL_TOMBSTONE;
          case 1 -> RowFormat.CELL_EXPIRING;
          case 2 -> rowExpires ? RowFormat.CELL_ROW_EXPIRY : 0;
          default -> 0;
        };
    flags |= path < 0 ? 0 : RowFormat.CELL_PATH;
    row.putVarint(column).putByte(flags | RowFormat.CELL_OWN_TIMESTAMP);
    row.putLong(1 + random.nextInt(5));
    if (kind == 1) {
      row.putInt(1 + random.nextInt(2)).putInt(100 + random.nextInt(3));
    }
    if (kind == 0) {
      row.putInt(random.nextInt(3));
    }
    if (path >= 0) {
      row.putVarint(1).putByte(path);
    }
    if (kind != 0) {
      row.putVarint(1).putByte(random.nextInt(3));
    }
  }

  private static void counter(SplittableRandom random, ByteWriter row) {
    row.putVarint(COUNTER).putByte(RowFormat.CELL_COUNTER | RowFormat.CELL_OWN_TIMESTAMP);
    ByteWriter shares = new ByteWriter(64);
    int count = 0;
    long highest = 0;
    int last = random.nextInt(3);
    for (int replica = 0; replica <= last; replica++) {
      if (replica == last || random.nextBoolean()) {
        count++;
        long clock = 1 + random.nextInt(6);
        highest = Math.max(highest, clock);
        shares.putLong(0).putLong(replica).putLong(clock).putLong(random.nextInt(3));
      }
    }
    row.putLong(highest);
    row.putVarint(1 + shares.size()).putVarint(count).putBytes(shares.segment(), 0, shares.size());
  }

  @Test
  void mergingIsCommutativeAssociativeAndIdempotent() throws Exception {
    seeds.each(
        4,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 20_000; i++) {
            ByteWriter a = randomRow(random);
            ByteWriter b = randomRow(random);
            ByteWriter c = randomRow(random);
            assertEquals(text(merged(a, b)), text(merged(b, a)));
            assertEquals(text(merged(merged(a, b), c)), text(merged(a, merged(b, c))));
            assertEquals(text(a), text(merged(a, a)));
            if (a.size() > 0 && b.size() > 0 && RowMerge.covers(view(a), view(b))) {
              assertEquals(text(a), text(merged(a, b)));
            }
          }
        });
  }

  @Test
  void filteringCommutesWithMerging() throws Exception {
    seeds.each(
        2,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 20_000; i++) {
            ByteWriter a = randomRow(random);
            ByteWriter b = randomRow(random);
            long deletion = random.nextInt(7);
            // a counter is dropped for good
            DroppedColumns dropped =
                new DroppedColumns(
                    new int[] {SIMPLE, COUNTER},
                    new long[] {random.nextInt(4), random.nextBoolean() ? 100 : 0});
            assertEquals(
                text(filtered(merged(a, b), deletion, dropped)),
                text(merged(filtered(a, deletion, dropped), filtered(b, deletion, dropped))));
          }
        });
  }

  private ByteWriter filtered(ByteWriter row, long deletion, DroppedColumns dropped) {
    ByteWriter out = new ByteWriter(64);
    if (row.size() == 0) {
      return out;
    }
    boolean needed = RowMerge.needsFilter(view(row), deletion, dropped);
    boolean left = merge.filter(view(row), deletion, dropped, out);
    assertEquals(left, out.size() > 0);
    if (!needed) {
      assertEquals(text(row), text(out));
    }
    return out;
  }

  @Test
  void counterSharesAreMergedById() {
    ByteWriter a = counterRow(3, new long[][] {{1, 3, 10}, {2, 1, 7}});
    ByteWriter b = counterRow(4, new long[][] {{1, 4, 12}, {3, 1, -2}});
    assertEquals(
        text(counterRow(4, new long[][] {{1, 4, 12}, {2, 1, 7}, {3, 1, -2}})), text(merged(a, b)));
  }

  @Test
  void deletionCoversOlderSharesOfNewerCounterCells() {
    ByteWriter counter = counterRow(9, new long[][] {{1, 3, 10}, {2, 9, 7}, {3, 4, 5}});
    ByteWriter deletion = new ByteWriter(64).putByte(RowFormat.ROW_DELETION).putLong(0);
    deletion.putLong(4).putInt(1000);
    ByteWriter expected = new ByteWriter(64).putByte(RowFormat.ROW_DELETION).putLong(9);
    expected
        .putLong(4)
        .putInt(1000)
        .putBytes(counterRow(9, new long[][] {{2, 9, 7}}).segment(), 9, 36);
    assertEquals(text(expected), text(merged(counter, deletion)));
    assertEquals(text(expected), text(merged(deletion, counter)));
    assertEquals(
        text(counterRow(9, new long[][] {{2, 9, 7}})),
        text(filtered(counter, 4, DroppedColumns.NONE)));
    assertFalse(RowMerge.needsFilter(view(counter), 2, DroppedColumns.NONE));
  }

  @Test
  void counterTombstoneBeatsNewerShares() {
    ByteWriter tombstone = new ByteWriter(64).putByte(0).putLong(3);
    tombstone.putVarint(COUNTER).putByte(RowFormat.CELL_TOMBSTONE).putInt(1000);
    ByteWriter counter = counterRow(9, new long[][] {{1, 9, 10}});
    assertFalse(RowMerge.covers(view(counter), view(tombstone)));
    assertEquals(text(tombstone), text(merged(counter, tombstone)));
    assertEquals(text(tombstone), text(merged(tombstone, counter)));
  }

  private static ByteWriter counterRow(long timestamp, long[][] shares) {
    ByteWriter row = new ByteWriter(64).putByte(0).putLong(timestamp);
    row.putVarint(COUNTER).putByte(RowFormat.CELL_COUNTER).putVarint(1 + 32L * shares.length);
    row.putVarint(shares.length);
    for (long[] share : shares) {
      row.putLong(0).putLong(share[0]).putLong(share[1]).putLong(share[2]);
    }
    return row;
  }

  @Test
  void onlyOldDeletionsThatCoverNothingElsewhereArePurged() {
    ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_DELETION).putLong(0);
    row.putLong(10).putInt(1000);
    row.putVarint(1).putByte(RowFormat.CELL_TOMBSTONE | 4).putLong(20).putInt(1000);
    row.putVarint(2).putByte(RowFormat.CELL_TOMBSTONE | 4).putLong(20).putInt(2000);
    row.putVarint(4).putByte(RowFormat.CELL_EXPIRING | 4).putLong(20).putInt(500).putInt(1600);
    row.putVarint(1).putByte(7);
    ByteWriter out = new ByteWriter(64);
    assertTrue(merge.purge(view(row), 1700, 1500, Long.MIN_VALUE, false, false, out));
    assertEquals(4, text(out).size(), "nothing may be purged while older data may exist elsewhere");
    assertTrue(merge.purge(view(row), 1700, 1500, 15, false, false, out.clear()));
    assertEquals(3, text(out).size(), "the row deletion is purged");
    assertTrue(merge.purge(view(row), 1700, 1500, Long.MAX_VALUE, false, false, out.clear()));
    assertEquals(List.of("2 1 @20+0/2000 -=-"), text(out));
    assertFalse(merge.purge(view(row), 1700, 3000, Long.MAX_VALUE, false, false, out.clear()));
    assertEquals(0, out.size());
  }

  @Test
  void anExpiredCellLosesItsValueAndNothingElse() {
    ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_LIVENESS | RowFormat.ROW_EXPIRING);
    row.putLong(20).putInt(500).putInt(1600);
    row.putVarint(1).putByte(RowFormat.CELL_ROW_EXPIRY).putVarint(3).putByte(1).putShort(2);
    ByteWriter out = new ByteWriter(64);
    assertTrue(merge.purge(view(row), 2199, 0, Long.MIN_VALUE, false, false, out));
    assertEquals(
        List.of("live 20+500/1600", "1 0 @20+500/1600 -=010002"),
        text(out),
        "a read that began before may still need it");
    assertTrue(merge.purge(view(row), 2200, 0, Long.MIN_VALUE, false, false, out.clear()));
    assertEquals(List.of("live 20+500/1600", "1 0 @20+500/1600 -="), text(out));
  }

  @Test
  void anExpiredLivenessThatARowNeedsIsPurgedWithItsCells() {
    ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_LIVENESS | RowFormat.ROW_EXPIRING);
    row.putLong(20).putInt(500).putInt(1600);
    row.putVarint(1).putByte(0).putVarint(1).putByte(7);
    ByteWriter out = new ByteWriter(64);
    assertTrue(merge.purge(view(row), 1700, 1650, 30, false, true, out));
    assertEquals(List.of("live 20+500/1600", "1 0 @20+0/0 -=07"), text(out));
    assertFalse(merge.purge(view(row), 1700, 1650, Long.MAX_VALUE, false, true, out.clear()));
    assertTrue(merge.purge(view(row), 1700, 1650, 30, false, false, out.clear()));
    assertEquals(List.of("1 0 @20+0/0 -=07"), text(out), "elsewhere cells make a row exist");
  }
}
