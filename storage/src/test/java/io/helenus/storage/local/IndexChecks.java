package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.TermSink;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.row.RowView;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Indexes over the columns of {@link ModelTable}, and the comparison of reads that use them with
 * reads of all rows: every row with one of the terms must be found, and everything that is found
 * must be as it is in the table.
 */
final class IndexChecks {
  /** Values below a million have ten terms. */
  private static final int VALUES_PER_TERM = 100_000;

  private static final int PARTITIONS_PER_TERM = 3;
  private static final int TERMS = 12;

  /** The kinds of indexes, by the remainder of their ids. */
  private enum Kind {
    VALUE(Source.CELLS, 1, "c1=(\\d+)"),
    ELEMENT(Source.CELLS, ModelTable.MULTI_CELL_COLUMN, "e\\d+=(\\d+)"),
    STATIC(Source.STATIC_CELLS, ModelTable.STATIC_COLUMN, "c9=(\\d+)"),
    CLUSTERING(Source.ROW_KEYS, 0, "^(\\d+)"),
    PARTITION(Source.PARTITION_KEYS, 0, ""),
    VECTOR(Source.VECTORS, 1, "c1=(\\d+)");

    final Source source;
    final int column;
    final Pattern inText;

    Kind(Source source, int column, String inText) {
      this.source = source;
      this.column = column;
      this.inText = Pattern.compile(inText);
    }

    static Kind of(int indexId) {
      return values()[indexId % values().length];
    }
  }

  private static final IndexTerms TERMS_OF_INTS =
      new IndexTerms() {
        @Override
        public void ofCell(
            MemorySegment path,
            long pathOffset,
            int pathLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            TermSink sink) {
          put(Bytes.getInt(value, valueOffset) / VALUES_PER_TERM, sink);
        }

        @Override
        public void ofKey(
            MemorySegment key, long keyOffset, int keyLength, int prefixLength, TermSink sink) {
          put(TestKeys.clustering(key, keyOffset + prefixLength + 1), sink);
        }
      };

  private static final IndexTerms TERMS_OF_PARTITIONS =
      new IndexTerms() {
        @Override
        public void ofKey(
            MemorySegment key, long keyOffset, int keyLength, int prefixLength, TermSink sink) {
          put(TestKeys.partitionKey(key, keyOffset) / PARTITIONS_PER_TERM, sink);
        }
      };

  private final SimStorage storage;
  private final List<IndexDescriptor> indexes = new ArrayList<>();
  private int lastId;

  /** Rows that were read through an index that was built, and how many there were in the table. */
  int rowsFound;

  int rowsInTable;

  /** Rows that were found by their vectors. */
  int nearestFound;

  IndexChecks(SimStorage storage) {
    this.storage = storage;
  }

  private static void put(int term, TermSink sink) {
    ByteWriter bytes = new ByteWriter(16).putInt(term);
    sink.term(bytes.segment(), 0, bytes.size());
  }

  List<IndexDescriptor> indexes() {
    return List.copyOf(indexes);
  }

  /** Creates an index of a random kind, or drops the one of that kind. */
  void change(SimRandomness random) {
    Kind kind = Kind.values()[random.below(Kind.values().length)];
    if (!indexes.removeIf(index -> Kind.of(index.id()) == kind)) {
      do {
        lastId++;
      } while (Kind.of(lastId) != kind);
      IndexTerms terms = kind == Kind.PARTITION ? TERMS_OF_PARTITIONS : TERMS_OF_INTS;
      // as floats, all values are so small that there is no distance between any two
      VectorOptions vectors =
          kind == Kind.VECTOR ? new VectorOptions(1, Similarity.EUCLIDEAN, 16, 100) : null;
      indexes.add(new IndexDescriptor(lastId, kind.source, kind.column, terms, vectors));
    }
  }

  /** Compares a read through each index with a read of all rows. */
  void check(int tableId, SimRandomness random) {
    if (indexes.isEmpty()) {
      return;
    }
    TreeMap<Integer, String> all = show(storage.scan(tableId));
    for (IndexDescriptor index : indexes) {
      int from = random.below(TERMS);
      int to = random.percent(60) ? from + 1 : from + 1 + random.below(4);
      boolean built = storage.storage().isIndexBuilt(tableId, index.id());
      if (index.source() == Source.VECTORS) {
        if (built) {
          checkNearest(tableId, index, all, random);
        }
        continue;
      }
      TextSink sink = new TextSink(storage.nowSeconds());
      for (StorageEngine engine : storage.storage().engines()) {
        storage.drive(engine.read(request(tableId, index, from, to)), sink);
      }
      String what = Kind.of(index.id()) + " " + from + " to " + to + (built ? "" : ", not built");
      compare(index, from, to, all, show(sink), what);
      TextSink merged = new TextSink(storage.nowSeconds());
      MergedShards.read(storage, request(tableId, index, from, to), 1 + random.below(500), merged);
      compare(index, from, to, all, show(merged), "merged " + what);
      if (built) {
        rowsFound += lines(show(sink));
        rowsInTable += lines(all);
      }
    }
  }

  private ReadRequest request(int tableId, IndexDescriptor index, int from, int to) {
    ByteWriter lower = new ByteWriter(16).putInt(from);
    ByteWriter upper = new ByteWriter(16).putInt(to);
    return new ReadRequest()
        .reset(tableId, storage.nowSeconds())
        .wantsStatic(true)
        .index(index.id(), lower.segment(), 0, 4, upper.segment(), 0, 4);
  }

  /** All rows with a vector are equally near: as many as are asked for must be found, each once. */
  private void checkNearest(
      int tableId, IndexDescriptor index, TreeMap<Integer, String> all, SimRandomness random) {
    List<String> expected = new ArrayList<>();
    all.forEach(
        (partition, text) ->
            text.lines()
                .filter(line -> !line.startsWith("static"))
                .filter(line -> Kind.VECTOR.inText.matcher(line).find())
                .forEach(line -> expected.add(partition + ": " + line)));
    int count = random.percent(50) ? 1 + random.below(8) : Integer.MAX_VALUE;
    List<String> found = new ArrayList<>();
    int most = 0;
    for (StorageEngine engine : storage.storage().engines()) {
      ReadRequest request = new ReadRequest();
      request.reset(tableId, storage.nowSeconds()).wantsStatic(true);
      ByteWriter vector = new ByteWriter(4).putInt(1);
      request.nearest(index.id(), vector.segment(), 0, 4, count);
      int before = found.size();
      storage.drive(engine.read(request), new NearestSink(storage.nowSeconds(), found));
      most = Math.max(most, found.size() - before);
    }
    List<String> missing = new ArrayList<>(expected);
    missing.removeAll(found);
    List<String> wrong = new ArrayList<>(found);
    expected.forEach(wrong::remove); // what is found twice is wrong, too
    boolean enough = missing.isEmpty() || most == count;
    if (!wrong.isEmpty() || !enough || most > count) {
      throw new ViolationError(
          wrong.isEmpty() ? Violation.LOST_WRITE : Violation.WRONG_ROW,
          "nearest " + count + ": missing " + missing + ", wrong " + wrong);
    }
    nearestFound += found.size();
  }

  /** Formats rows that do not come in the order of their partitions. */
  private static final class NearestSink implements RowSink {
    private final long nowSeconds;
    private final List<String> rows;
    private TextSink one;

    NearestSink(long nowSeconds, List<String> rows) {
      this.nowSeconds = nowSeconds;
      this.rows = rows;
      one = new TextSink(nowSeconds);
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      one = new TextSink(nowSeconds);
      return one.partition(prefix, offset, length);
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      Next next = one.row(clustering, offset, length, row);
      assert next == Next.CONTINUE;
      one.partitions.forEach(
          (partition, text) -> rows.add(partition + ": " + text.toString().strip()));
      return Next.KEPT;
    }
  }

  private static int lines(TreeMap<Integer, String> texts) {
    return texts.values().stream().mapToInt(text -> (int) text.lines().count()).sum();
  }

  private static TreeMap<Integer, String> show(TextSink sink) {
    TreeMap<Integer, String> shown = new TreeMap<>();
    sink.partitions.forEach((partition, text) -> shown.put(partition, text.toString()));
    return shown;
  }

  private static void compare(
      IndexDescriptor index,
      int from,
      int to,
      TreeMap<Integer, String> all,
      TreeMap<Integer, String> found,
      String what) {
    for (Map.Entry<Integer, String> partition : all.entrySet()) {
      List<String> lines = found.getOrDefault(partition.getKey(), "").lines().toList();
      boolean whole = isOfPartition(index, from, to, partition.getKey(), partition.getValue());
      for (String line : partition.getValue().lines().toList()) {
        if ((whole || isOfRow(index, from, to, line)) && !lines.contains(line)) {
          throw difference(Violation.LOST_WRITE, what, partition, lines);
        }
      }
    }
    for (Map.Entry<Integer, String> partition : found.entrySet()) {
      List<String> lines = all.getOrDefault(partition.getKey(), "").lines().toList();
      List<String> ordered = new ArrayList<>(lines);
      ordered.retainAll(partition.getValue().lines().toList());
      if (!ordered.equals(partition.getValue().lines().toList())) {
        throw difference(Violation.WRONG_ROW, what, partition, lines);
      }
    }
  }

  private static ViolationError difference(
      Violation kind, String what, Map.Entry<Integer, String> partition, List<String> other) {
    return new ViolationError(
        kind, what + ": partition " + partition.getKey() + "\n" + partition + "\nbut\n" + other);
  }

  private static boolean isOfPartition(
      IndexDescriptor index, int from, int to, int partition, String text) {
    return switch (index.source()) {
      case PARTITION_KEYS -> {
        int term = partition / PARTITIONS_PER_TERM;
        yield term >= from && term < to;
      }
      case STATIC_CELLS -> text.lines().anyMatch(line -> isOfRow(index, from, to, line));
      case CELLS, ROW_KEYS, VECTORS -> false;
    };
  }

  private static boolean isOfRow(IndexDescriptor index, int from, int to, String line) {
    if (index.source() == Source.PARTITION_KEYS) {
      return false;
    }
    int divisor = index.source() == Source.ROW_KEYS ? 1 : VALUES_PER_TERM;
    Matcher matcher = Kind.of(index.id()).inText.matcher(line);
    while (matcher.find()) {
      int term = Integer.parseInt(matcher.group(1)) / divisor;
      if (term >= from && term < to) {
        return true;
      }
    }
    return false;
  }
}
