package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random mutations reach random replicas, each of which flushes and compacts for itself. Merged
 * reads of all replicas agree with reads of one that has received everything, and so do the
 * replicas once they have been repaired.
 */
class ReplicaMergeTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int PARTITIONS = 5;
  private static final int STEPS = 120;
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 24);

  private SplittableRandom random = new SplittableRandom(0);
  private Replicas replicas = new Replicas(2, 1);
  private ReadFixture whole = ReadFixture.standard();
  private RandomWrites writes = new RandomWrites(random, new RowModel(), PARTITIONS, 4, 20, 5);
  private int width;
  private int paths;
  private int age;
  private int stopped;
  private int followed;
  private int matches;
  private int mismatches;
  private String description = "";

  @Test
  void mergedReadsAgreeWithTheWhole() throws Exception {
    seeds.each(SEEDS, this::run);
    assertTrue(stopped > 0, "no limit was reached");
    assertTrue(followed > 0, "no read took several rounds");
    assertTrue(matches > 0, "no digests matched");
    assertTrue(mismatches > 0, "no digests differed");
  }

  private void run(long seed) throws IOException {
    random = new SplittableRandom(seed);
    paths = seed % 4 == 0 ? 0 : seed % 3 == 0 ? 20 : 4;
    // without elements the replicas look up single rows, which the whole merges
    replicas =
        new Replicas(
            2 + (int) (seed % 2),
            1 + (int) (seed % 4),
            paths == 0 ? ReadFixture.simpleColumns() : ReadFixture.columns());
    whole = ReadFixture.standard();
    width = 2 + (int) (seed % 7);
    age = seed % 3 == 1 ? 700 : 0;
    RowModel model = new RowModel();
    writes = new RandomWrites(random, model, PARTITIONS, width, seed % 2 == 0 ? 8 : 1000, paths);
    for (int step = 0; step < STEPS; step++) {
      write();
      if (random.nextInt(3) == 0) {
        changeFiles(whole);
        check(randomRequest(), false);
      }
    }
    for (int i = 0; i < 6; i++) {
      replicas.limitBytes = randomLimitBytes();
      check(randomRequest(), true);
    }
    repairAll();
    for (int i = 0; i < 6; i++) {
      checkAgreement(randomRequest());
    }
  }

  private void write() throws IOException {
    ByteWriter mutation = writes.next();
    whole.apply(mutation);
    int target = random.nextInt(replicas.all.size());
    for (int i = 0; i < replicas.all.size(); i++) {
      if (i == target || random.nextInt(3) > 0) {
        replicas.all.get(i).apply(mutation);
      }
      if (random.nextInt(8) == 0) {
        changeFiles(replicas.all.get(i));
      }
    }
  }

  private void changeFiles(ReadFixture fixture) throws IOException {
    int files = fixture.files.size();
    switch (random.nextInt(6)) {
      case 0 -> fixture.freeze();
      case 1, 2 -> fixture.flush();
      case 3 -> {
        if (files >= 2) {
          int from = random.nextInt(files - 1);
          PurgeRules rules = new PurgeRules(0, writes.now + age, (p, o, l) -> Long.MIN_VALUE);
          fixture.compact(from, from + 2, rules);
        }
      }
      default -> {
        // as it is
      }
    }
  }

  private int randomLimitBytes() {
    return new int[] {1, 60, 300, 2000, 1 << 20}[random.nextInt(5)];
  }

  private void check(ReadRequest request, boolean repair) {
    replicas.limitBytes = randomLimitBytes();
    int before = replicas.rounds;
    int matchesBefore = replicas.digestMatches;
    boolean elements = random.nextBoolean();
    RowCollector expected = new RowCollector(request);
    expected.receivesElements = elements;
    ReadCursor.Status ended = whole.read(request, expected);
    RowCollector merged = new RowCollector(request);
    merged.receivesElements = elements;
    ReadCursor.Status mergedEnded = replicas.read(request, merged, repair);
    String text = description + " limit " + replicas.limitBytes;
    assertEquals(expected.lines, merged.lines, text);
    assertEquals(ended, mergedEnded, text);
    stopped += ended == ReadCursor.Status.STOPPED ? 1 : 0;
    followed += replicas.rounds - before > 1 ? 1 : 0;
    matches += replicas.digestMatches - matchesBefore;
    mismatches += replicas.rounds - before - (replicas.digestMatches - matchesBefore);
  }

  /** Reads everything of all replicas with repair. */
  private void repairAll() {
    replicas.limitBytes = randomLimitBytes();
    ByteWriter none = new ByteWriter(1);
    ReadRequest request =
        new ReadRequest()
            .reset(ReadFixture.TABLE, writes.now + age)
            .partitions(none.segment(), 0, 0, none.segment(), 0, 0)
            .wantsStatic(true);
    replicas.read(request, new RowCollector(request), true);
  }

  /** All replicas send the same bytes, and so does the whole. */
  private void checkAgreement(ReadRequest request) {
    int limit = randomLimitBytes();
    byte[] expected = Replicas.raw(whole, request, limit).toArray();
    for (ReadFixture replica : replicas.all) {
      byte[] sent = Replicas.raw(replica, request, limit).toArray();
      assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(sent), description);
    }
  }

  // ---- requests

  private ReadRequest randomRequest() {
    ReadRequest request = new ReadRequest().reset(ReadFixture.TABLE, writes.now + age);
    boolean partition = random.nextInt(3) > 0;
    if (partition) {
      partition(request);
    } else {
      partitions(request);
    }
    request.wantsStatic(random.nextBoolean());
    if (random.nextInt(10) == 0) {
      request.wantsRows(false).wantsStatic(true);
    }
    if (random.nextInt(3) == 0) {
      request.columns(random.nextBoolean() ? new int[] {2} : new int[] {1, 3, RowModel.MULTI_CELL});
    }
    if (paths > 0 && random.nextInt(3) == 0) {
      ByteWriter path = new ByteWriter(4).putInt(random.nextInt(paths));
      request.addElement(RowModel.MULTI_CELL, path.segment(), 0, 4);
    }
    if (random.nextBoolean()) {
      int rows = random.nextBoolean() ? ReadLimits.NONE : 1 + random.nextInt(6);
      int perPartition = random.nextBoolean() ? ReadLimits.NONE : 1 + random.nextInt(3);
      boolean staticRowsCount = random.nextBoolean();
      request.rowLimits(rows, perPartition, staticRowsCount);
      description += " limits " + rows + "," + perPartition + "," + staticRowsCount;
    }
    return request;
  }

  private void partition(ReadRequest request) {
    int partition = random.nextInt(PARTITIONS);
    ByteWriter prefix = Keys.prefix(partition);
    boolean reversed = random.nextBoolean();
    request.partition(prefix.segment(), 0, prefix.size()).reversed(reversed);
    List<String> slices = new ArrayList<>();
    if (random.nextInt(3) > 0) {
      for (int a = random.nextInt(2); a < width; a += 1 + random.nextInt(2)) {
        if (random.nextBoolean()) {
          int b = random.nextInt(width);
          ByteWriter row = Keys.row(a, b);
          request.addRow(row.segment(), 0, row.size());
          slices.add(a + "," + b);
        } else {
          int to = a + random.nextInt(2);
          int b = random.nextInt(2 * width) - width;
          ByteWriter lower = Keys.bound(a, Math.max(-1, b), random.nextBoolean());
          ByteWriter upper = Keys.bound(to, -1, true);
          if (Bytes.compare(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size())
              <= 0) {
            request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
            slices.add("[" + a + "," + b + " to " + to + "]");
          }
          a = to;
        }
      }
    }
    description = "partition " + partition + " reversed " + reversed + slices;
  }

  private void partitions(ReadRequest request) {
    ByteWriter lower =
        random.nextBoolean() ? Keys.prefix(random.nextInt(PARTITIONS)) : new ByteWriter(1);
    request.partitions(lower.segment(), 0, lower.size(), lower.segment(), 0, 0);
    description = "partitions";
  }
}
