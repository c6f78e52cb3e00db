package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares random writes, flushes, compactions and reads with {@link RowModel}. */
class ReadModelTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int PARTITIONS = 5;
  private static final int STEPS = 500;
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 16);

  private SplittableRandom random = new SplittableRandom(0);
  private RowModel model = new RowModel();
  private ReadFixture fixture = ReadFixture.standard();
  private RandomWrites writes = new RandomWrites(random, model, PARTITIONS, 4, 20, 5);

  private int limitsReached;
  private int paths = 5;
  // the elements that the request under construction selects
  private IntPredicate selected = path -> true;

  private record ExpectedRead(ReadRequest request, List<String> expected, String description) {}

  private record OpenRead(ReadCursor cursor, RowCollector collector, ExpectedRead expectedRead) {}

  @Test
  void readsAgreeWithTheModel() throws Exception {
    seeds.each(SEEDS, this::run);
    assertTrue(limitsReached > 0, "no limit was reached");
  }

  private void run(long seed) throws IOException {
    random = new SplittableRandom(seed);
    model = new RowModel();
    long cacheBytes = seed % 3 == 0 ? 0 : 1 << 20;
    fixture = new ReadFixture(cacheBytes, ReadFixture.columns(), 1 + (int) (seed % 4));
    int width = 2 + (int) (seed % 9);
    paths = seed % 3 == 0 ? 40 : 5;
    writes = new RandomWrites(random, model, PARTITIONS, width, seed % 2 == 0 ? 8 : 1000, paths);
    // rows of several blocks
    writes.padding = seed % 6 == 0 ? "x".repeat(700) : "";
    List<OpenRead> opened = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      step(opened, width);
    }
    for (OpenRead one : opened) {
      finish(one);
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      check(partitionRead(partition, false));
      check(partitionRead(partition, true));
    }
    check(rangeRead());
    purgeAndCheck();
  }

  private void step(List<OpenRead> opened, int width) throws IOException {
    switch (random.nextInt(60)) {
      case 0 -> fixture.freeze();
      case 1 -> fixture.flush();
      case 2 -> compactSome();
      case 3, 4, 5 -> check(randomRead(width));
      case 6 -> open(opened, width);
      case 7 -> {
        if (!opened.isEmpty()) {
          finish(opened.remove(random.nextInt(opened.size())));
        }
      }
      case 8 -> {
        if (!opened.isEmpty()) {
          OpenRead one = opened.get(random.nextInt(opened.size()));
          ReadCursor.Status status = one.cursor.advance(one.collector);
          if (status == ReadCursor.Status.WAITING && random.nextBoolean()) {
            fixture.runTasks();
          }
        }
      }
      default -> fixture.apply(writes.next());
    }
  }

  private void compactSome() throws IOException {
    int count = fixture.files.size();
    if (count >= 2) {
      int from = random.nextInt(count - 1);
      int to = from + 2 + random.nextInt(count - from - 1);
      // expired cells lose their values; nothing is purged
      fixture.compact(
          from,
          to,
          new PurgeRules(0, random.nextBoolean() ? writes.now : 0, (p, o, l) -> Long.MIN_VALUE));
    }
  }

  private void purgeAndCheck() throws IOException {
    while (!fixture.active.isEmpty() || !fixture.frozen.isEmpty()) {
      fixture.flush();
    }
    fixture.compact(
        0,
        fixture.files.size(),
        new PurgeRules(writes.now + 1, writes.now, (p, o, l) -> Long.MAX_VALUE));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      check(partitionRead(partition, false));
      check(partitionRead(partition, true));
    }
    check(rangeRead());
  }

  private void open(List<OpenRead> opened, int width) {
    if (opened.size() < 5) {
      ExpectedRead expectedRead = randomRead(width);
      RowCollector collector = new RowCollector(expectedRead.request);
      collector.receivesElements = random.nextBoolean();
      opened.add(
          new OpenRead(
              fixture.reads.open(fixture.sources, expectedRead.request), collector, expectedRead));
      // expiry is evaluated at the time of the request
    }
  }

  private void finish(OpenRead one) {
    RowCollector collector = one.collector;
    fixture.drain(one.cursor, collector);
    one.cursor.close();
    if (collector.receivesElements) {
      List<String> expected = RowCollector.withoutTtls(one.expectedRead.expected);
      assertEquals(expected, collector.linesWithoutTtls(), one.expectedRead.description);
    } else {
      assertEquals(one.expectedRead.expected, collector.lines, one.expectedRead.description);
    }
  }

  private void check(ExpectedRead expectedRead) {
    RowCollector collector = fixture.readAll(expectedRead.request);
    assertEquals(expectedRead.expected, collector.lines, expectedRead.description);
    RowCollector receiving = fixture.readAll(expectedRead.request, true);
    assertEquals(
        collector.linesWithoutTtls(), receiving.linesWithoutTtls(), expectedRead.description);
    RowCollector decoded = fixture.readAll(decoded(expectedRead.request));
    assertEquals(expectedRead.expected, decoded.lines, expectedRead.description);
    checkLimits(expectedRead);
  }

  /** Limits of the request end a read where a sink would that counts the rows by itself. */
  private void checkLimits(ExpectedRead expectedRead) {
    ReadRequest request = expectedRead.request;
    int rows = random.nextBoolean() ? ReadLimits.NONE : 1 + random.nextInt(6);
    int perPartition = random.nextBoolean() ? ReadLimits.NONE : 1 + random.nextInt(3);
    boolean staticRowsCount = random.nextBoolean();
    CountingSink counting =
        new CountingSink(new RowCollector(request), rows, perPartition, staticRowsCount);
    ReadCursor.Status ended = fixture.read(request, counting);
    request.rowLimits(rows, perPartition, staticRowsCount);
    RowCollector limited = new RowCollector(request);
    ReadCursor.Status limitedEnded = fixture.read(decoded(request), limited);
    request.rowLimits(ReadLimits.NONE, ReadLimits.NONE, false);
    String description =
        expectedRead.description + " limits " + rows + ", " + perPartition + staticRowsCount;
    assertEquals(counting.rows.lines, limited.lines, description);
    assertEquals(ended, limitedEnded, description);
    limitsReached += ended == ReadCursor.Status.STOPPED ? 1 : 0;
  }

  /** The request as a replica on another node reads it. */
  private static ReadRequest decoded(ReadRequest request) {
    ByteWriter bytes = new ByteWriter(64);
    request.encode(bytes);
    return new ReadRequest().decode(bytes.segment(), 0, bytes.size());
  }

  private ExpectedRead randomRead(int width) {
    return switch (random.nextInt(6)) {
      case 0 -> rangeRead();
      case 1 -> partitionRead(random.nextInt(PARTITIONS), random.nextBoolean());
      case 2, 3 -> rowsRead(random.nextInt(PARTITIONS), width);
      default -> sliceRead(random.nextInt(PARTITIONS), width, random.nextBoolean());
    };
  }

  private ReadRequest partitionRequest(int partition) {
    ByteWriter prefix = Keys.prefix(partition);
    ReadRequest request =
        new ReadRequest()
            .reset(ReadFixture.TABLE, writes.now)
            .partition(prefix.segment(), 0, prefix.size());
    selectElements(request);
    return request;
  }

  /** Restricts the elements of a request to random ranges of paths and single ones. */
  private void selectElements(ReadRequest request) {
    selected = path -> true;
    if (random.nextBoolean()) {
      return;
    }
    selected = path -> false;
    int path = random.nextInt(paths);
    while (path < paths) {
      IntPredicate before = selected;
      int from = path;
      int to = from + random.nextInt(4);
      ByteWriter lower = new ByteWriter(4).putInt(from);
      if (from == to) {
        request.addElement(RowModel.MULTI_CELL, lower.segment(), 0, 4);
        selected = each -> before.test(each) || each == from;
      } else {
        boolean open = random.nextInt(5) == 0;
        boolean inclusive = random.nextBoolean();
        ByteWriter upper = new ByteWriter(5).putInt(inclusive ? to - 1 : to);
        if (inclusive) {
          upper.putByte(0);
        }
        request.addElements(
            RowModel.MULTI_CELL,
            lower.segment(),
            0,
            4,
            upper.segment(),
            0,
            open ? 0 : upper.size());
        selected = each -> before.test(each) || each >= from && (open || each < to);
        if (open) {
          return;
        }
      }
      path = to + 1 + random.nextInt(paths);
    }
  }

  private TreeMap<Integer, String> selectedCells(RowModel.Row row) {
    TreeMap<Integer, String> cells = new TreeMap<>(row.cells());
    int first = RowModel.pathCell(0);
    cells.keySet().removeIf(cell -> cell >= first && !selected.test(cell - first));
    return cells;
  }

  private List<String> expectedLines(
      int partition, boolean wantsStatic, List<RowModel.Row> rows, boolean reversed) {
    List<String> lines = new ArrayList<>();
    if (wantsStatic) {
      RowModel.Row row = model.row(partition, 0, RowModel.STATIC, model.size(), writes.now);
      if (row != null) {
        lines.add("static " + selectedCells(row));
      }
    }
    List<RowModel.Row> ordered = new ArrayList<>(rows);
    if (reversed) {
      Collections.reverse(ordered);
    }
    for (RowModel.Row row : ordered) {
      lines.add(row.a() + "," + row.b() + " " + selectedCells(row));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "partition " + partition);
    }
    return lines;
  }

  private ExpectedRead partitionRead(int partition, boolean reversed) {
    boolean wantsStatic = random.nextBoolean();
    ReadRequest request = partitionRequest(partition).reversed(reversed).wantsStatic(wantsStatic);
    List<RowModel.Row> rows = model.rows(partition, model.size(), writes.now);
    return new ExpectedRead(
        request,
        expectedLines(partition, wantsStatic, rows, reversed),
        "all of partition " + partition + " reversed " + reversed);
  }

  private ExpectedRead rowsRead(int partition, int width) {
    ReadRequest request = partitionRequest(partition);
    boolean wantsStatic = random.nextInt(4) == 0;
    request.wantsStatic(wantsStatic);
    boolean someColumns = random.nextBoolean();
    boolean withPaths = random.nextBoolean();
    boolean withForm = random.nextBoolean();
    int[] columns = withForm ? new int[] {2, 3, RowModel.KEY_FORM} : new int[] {2, 3};
    if (someColumns) {
      request.columns(withPaths ? new int[] {2, 3, RowModel.MULTI_CELL} : columns);
    }
    List<RowModel.Row> rows = new ArrayList<>();
    for (int a = 0; a < width; a++) {
      int b = random.nextInt(width);
      if (random.nextInt(3) == 0) {
        ByteWriter suffix = Keys.row(a, b);
        request.addRow(suffix.segment(), 0, suffix.size());
        RowModel.Row row = model.row(partition, a, b, model.size(), writes.now);
        if (row != null) {
          rows.add(row);
        }
      }
    }
    if (request.keys().sliceCount() == 0) {
      request.wantsRows(false);
    }
    List<String> expected = expectedLines(partition, wantsStatic, rows, false);
    if (someColumns) {
      String others =
          "\\b(1|4"
              + (withPaths ? "" : "|10..")
              + (withForm && !withPaths ? "" : "|6")
              + ")=[^,}]*(, )?";
      expected.replaceAll(line -> line.replaceAll(others, "").replace(", }", "}"));
    }
    return new ExpectedRead(
        request,
        expected,
        "rows of partition " + partition + (someColumns ? " columns 2, 3" : "") + withPaths);
  }

  private ExpectedRead sliceRead(int partition, int width, boolean reversed) {
    int fromA = random.nextInt(width);
    int toA = fromA + random.nextInt(width);
    int fromB = random.nextBoolean() ? -1 : random.nextInt(width);
    ReadRequest request = partitionRequest(partition).reversed(reversed);
    boolean wantsStatic = random.nextInt(4) == 0;
    request.wantsStatic(wantsStatic);
    // (fromA, fromB) <= row, then a second slice far after it
    ByteWriter lower = Keys.bound(fromA, fromB, false);
    ByteWriter upper = Keys.bound(toA, -1, true);
    request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
    ByteWriter lower2 = Keys.bound(toA + 1, -1, true);
    ByteWriter upper2 = Keys.edge(true);
    request.addSlice(lower2.segment(), 0, lower2.size(), upper2.segment(), 0, upper2.size());
    List<RowModel.Row> rows = model.rows(partition, model.size(), writes.now);
    rows.removeIf(
        row -> row.a() < fromA || row.a() == fromA && row.b() < fromB || row.a() == toA + 1);
    return new ExpectedRead(
        request,
        expectedLines(partition, wantsStatic, rows, reversed),
        "slice of "
            + partition
            + " from "
            + fromA
            + ","
            + fromB
            + " to "
            + toA
            + " reversed "
            + reversed);
  }

  private ExpectedRead rangeRead() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      order.add(i);
    }
    order.sort(
        (x, y) ->
            Keys.token(x) != Keys.token(y)
                ? Long.compare(Keys.token(x), Keys.token(y))
                : Integer.compare(x, y));
    ReadRequest request = new ReadRequest().reset(ReadFixture.TABLE, writes.now);
    int from = random.nextInt(PARTITIONS);
    boolean bounded = random.nextBoolean();
    ByteWriter lower = bounded ? Keys.prefix(order.get(from)) : new ByteWriter(8);
    request.partitions(lower.segment(), 0, lower.size(), lower.segment(), 0, 0);
    selectElements(request);
    boolean wantsStatic = random.nextBoolean();
    request.wantsStatic(wantsStatic);
    List<String> expected = new ArrayList<>();
    for (int partition : order.subList(bounded ? from : 0, PARTITIONS)) {
      List<RowModel.Row> rows = model.rows(partition, model.size(), writes.now);
      expected.addAll(expectedLines(partition, wantsStatic, rows, false));
    }
    return new ExpectedRead(request, expected, "range");
  }
}
