package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.TombstoneLimitException;
import io.helenus.storage.row.MutationWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What two replicas send, what their merge passes on, and what each takes as repair. */
class RawReadTest {
  private static final long NOW = 10_000;

  private final Replicas replicas = new Replicas(2, 1);
  private final ReadFixture a = replicas.all.get(0);
  private final ReadFixture b = replicas.all.get(1);

  private static void write(ReadFixture replica, Consumer<MutationWriter> entries) {
    ByteWriter bytes = new ByteWriter(64);
    MutationWriter mutation = new MutationWriter(bytes);
    ByteWriter prefix = Keys.prefix(0);
    mutation.begin(Keys.token(0), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    entries.accept(mutation);
    mutation.endTable().finish();
    replica.apply(bytes);
  }

  private static MutationWriter beginRow(MutationWriter mutation, int row) {
    ByteWriter suffix = Keys.row(row, 0);
    return mutation.beginRow(suffix.segment(), 0, suffix.size());
  }

  private static void cell(ReadFixture replica, int row, int column, long timestamp, String value) {
    ByteWriter bytes = new ByteWriter(8).putBytes(value.getBytes(StandardCharsets.UTF_8));
    write(
        replica,
        m -> beginRow(m, row).cell(column, timestamp, bytes.segment(), 0, bytes.size()).endRow());
  }

  private static void tombstone(ReadFixture replica, int row, int column, long timestamp) {
    write(replica, m -> beginRow(m, row).tombstone(column, timestamp, NOW - 5).endRow());
  }

  private static void deleteRange(ReadFixture replica, int from, int to, long timestamp) {
    ByteWriter start = Keys.bound(from, -1, false);
    ByteWriter end = Keys.bound(to, -1, true);
    write(
        replica,
        m ->
            m.rangeDeletion(
                start.segment(), 0, start.size(), end.segment(), 0, end.size(), timestamp, NOW));
  }

  private static ReadRequest request() {
    ByteWriter prefix = Keys.prefix(0);
    return new ReadRequest()
        .reset(ReadFixture.TABLE, NOW)
        .partition(prefix.segment(), 0, prefix.size());
  }

  private List<String> merged(ReadRequest request, boolean repair) {
    RowCollector rows = new RowCollector(request);
    assertTrue(replicas.read(request, rows, repair) != null);
    return rows.lines;
  }

  private String digest(int replica, ReadRequest request) {
    return Replicas.digest(replicas.raw(replica, request));
  }

  private void assertSame(ReadRequest request) {
    assertEquals(digest(0, request), digest(1, request));
  }

  @Test
  void anUnselectedCellKeepsARowAliveUntilANewerReplicaHasItDead() {
    cell(a, 1, 3, 10, "x");
    cell(b, 1, 3, 10, "x");
    ReadRequest request = request().columns(new int[] {2});
    assertEquals(List.of("partition 0", "1,0 {}"), merged(request, false));
    tombstone(b, 1, 3, 11);
    assertNotEquals(digest(0, request), digest(1, request));
    assertEquals(List.of(), merged(request, true));
    // a dead cell has no value that would have to be known
    assertSame(request);
  }

  @Test
  void valuesOfUnselectedCellsAreNeitherSentNorRepaired() {
    cell(a, 1, 2, 10, "y");
    cell(a, 1, 3, 10, "secret");
    ReadRequest request = request().columns(new int[] {2});
    String sent = new String(replicas.raw(0, request).toArray(), StandardCharsets.ISO_8859_1);
    assertTrue(sent.contains("y") && !sent.contains("secret"));
    assertEquals(List.of("partition 0", "1,0 {2=y@10}"), merged(request, true));
    assertEquals(List.of("partition 0", "1,0 {2=y@10}"), b.readAll(request()).lines);
    // asked for all columns it is repaired
    merged(request(), true);
    assertSame(request());
    assertEquals(List.of("partition 0", "1,0 {2=y@10, 3=secret@10}"), b.readAll(request()).lines);
  }

  @Test
  void aDeadCellOfARowThatDoesNotExistCoversAnOlderReplicasCell() {
    tombstone(a, 1, 2, 20);
    cell(b, 1, 2, 10, "old");
    ReadRequest one = request();
    ByteWriter suffix = Keys.row(1, 0);
    one.addRow(suffix.segment(), 0, suffix.size());
    assertEquals(List.of(), merged(one, true));
    assertSame(one);
    assertEquals(List.of(), b.readAll(request()).lines);
  }

  @Test
  void aRangeDeletionOfOneReplicaCoversTheOthersRowsAndIsRepairedWithinTheSlice() {
    for (int row = 0; row < 5; row++) {
      cell(a, row, 2, 10, "v");
      cell(b, row, 2, 10, "v");
    }
    deleteRange(b, 1, 4, 15);
    ReadRequest request = request();
    ByteWriter lower = Keys.bound(0, -1, false);
    ByteWriter upper = Keys.bound(2, -1, true);
    request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
    assertEquals(List.of("partition 0", "0,0 {2=v@10}"), merged(request, true));
    assertSame(request);
    // the rest of the range was not read
    assertEquals(
        List.of("partition 0", "0,0 {2=v@10}", "3,0 {2=v@10}", "4,0 {2=v@10}"),
        a.readAll(request()).lines);
  }

  @Test
  void aReadOfOneRowAsksOnWhileItsRowsAreDeadElsewhere() {
    for (int row = 0; row < 40; row++) {
      cell(a, row, 2, 10, "v");
    }
    deleteRange(b, 0, 38, 15);
    for (boolean reversed : new boolean[] {false, true}) {
      ReadRequest request = request().rowLimits(1, ReadLimits.NONE, false);
      request.reversed(reversed);
      int before = replicas.rounds;
      assertEquals(List.of("partition 0", "39,0 {2=v@10}"), merged(request, false));
      // the limits double: 1 + 2 + 4 + 8 + 16 + 32 rows
      assertEquals(reversed ? 1 : 6, replicas.rounds - before);
    }
  }

  @Test
  void aLimitPerPartitionLeavesAGapThatIsFilled() {
    for (int row = 0; row < 4; row++) {
      cell(a, row, 2, 10, "v");
    }
    tombstone(b, 0, 2, 11);
    ByteWriter none = new ByteWriter(1);
    ReadRequest request =
        new ReadRequest()
            .reset(ReadFixture.TABLE, NOW)
            .partitions(none.segment(), 0, 0, none.segment(), 0, 0)
            .rowLimits(ReadLimits.NONE, 1, false);
    assertEquals(List.of("partition 0", "1,0 {2=v@10}"), merged(request, false));
    assertEquals(3, replicas.rounds, "the range, the rest of the partition, the range behind it");
  }

  @Test
  void theSameDataHasTheSameDigestHoweverItIsStored() throws IOException {
    for (ReadFixture each : replicas.all) {
      cell(each, 1, 2, 10, "old");
      if (each == b) {
        each.flush();
      }
      cell(each, 1, 2, 12, "new");
      deleteRange(each, 0, 1, 8);
      if (each == a) {
        each.flush();
        each.flush();
      }
      deleteRange(each, 2, 3, 8);
      write(each, m -> m.partitionDeletion(5, NOW));
    }
    assertSame(request());
    assertSame(request().reversed(true).wantsStatic(true));
    // a deletion that is covered is no difference
    deleteRange(a, 0, 3, 4);
    assertSame(request());
    deleteRange(a, 0, 3, 9);
    assertNotEquals(digest(0, request()), digest(1, request()));
  }

  @Test
  void anExpiredCellLosesItsValueAfterFiveMinutes() {
    ByteWriter value = new ByteWriter(8).putBytes("gone".getBytes(StandardCharsets.UTF_8));
    write(
        a,
        m ->
            beginRow(m, 1)
                .rowExpiry(10, NOW)
                .cell(2, 10, value.segment(), 0, value.size())
                .endRow());
    for (long late : new long[] {299, 300}) {
      ReadRequest request = request();
      ByteWriter prefix = Keys.prefix(0);
      request.reset(ReadFixture.TABLE, NOW + late).partition(prefix.segment(), 0, prefix.size());
      String sent = new String(replicas.raw(0, request).toArray(), StandardCharsets.ISO_8859_1);
      assertEquals(late < 300, sent.contains("gone"));
      assertEquals(List.of(), merged(request, true));
      assertSame(request);
    }
  }

  @Test
  void countersHaveTheirSharesEvenIfTheyAreNotSelected() {
    write(a, m -> beginRow(m, 1).counterDelta(4, 10, 5).endRow());
    write(b, m -> beginRow(m, 1).counterDelta(4, 20, 7).endRow());
    ReadRequest request = request().columns(new int[] {2});
    assertNotEquals(digest(0, request), digest(1, request));
    assertEquals(List.of("partition 0", "1,0 {}"), merged(request, true));
    assertSame(request);
    assertEquals(a.readAll(request()).lines, b.readAll(request()).lines);
  }

  @Test
  void tombstonesAreCountedByTheReplica() {
    for (int row = 0; row < 5; row++) {
      tombstone(a, row, 2, 10);
    }
    ReadRequest request = request().tombstoneLimit(4);
    assertThrows(TombstoneLimitException.class, () -> replicas.raw(0, request));
  }

  @Test
  void malformedRepliesAreRefused() {
    cell(a, 1, 2, 10, "v");
    ByteWriter reply = replicas.raw(0, request());
    for (int length = 0; length < reply.size(); length++) {
      int cut = length;
      try (ReplicaMerge merge = a.reads.merge(a.sources, request(), 1)) {
        assertThrows(
            IllegalArgumentException.class,
            () -> merge.replies(List.of(reply.segment().asSlice(0, cut))));
      }
    }
  }
}
