package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.testing.TestStorageOptions;
import io.helenus.storage.vector.VectorScore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** A table with a vector and a number in each row, its index of vectors, and a model of it. */
final class VectorTable {
  static final int TABLE = 1;
  static final int INDEX = 1;
  static final int NUMBERS = 2;
  private static final int VECTOR_COLUMN = 1;
  private static final int NUMBER_COLUMN = 2;
  private static final int STATIC_COLUMN = 3;

  /** A number is its term. */
  private static final IndexTerms TERMS =
      new IndexTerms() {
        @Override
        public void ofCell(
            MemorySegment path,
            long pathOffset,
            int pathLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            io.helenus.storage.engine.TermSink sink) {
          sink.term(value, valueOffset, valueLength);
        }
      };

  /** A row of the model. */
  record Row(float[] vector, int number) {}

  /** A row that was read. */
  record Found(int partition, int clustering, float score) {}

  /** Restricts a request. */
  interface Filter {
    void on(ReadRequest request);
  }

  final VectorOptions options;
  final SimStorage storage;
  final TreeMap<List<Integer>, Row> model =
      new TreeMap<>(
          Comparator.<List<Integer>>comparingInt(k -> k.get(0)).thenComparing(k -> k.get(1)));
  private final ByteWriter bytes = new ByteWriter(1024);
  private final MutationWriter writer = new MutationWriter(bytes);

  private long timestamp;

  /** The number of files at which a compaction starts by itself. */
  int compactionThreshold = 4;

  VectorTable(VectorOptions options) {
    this(options, TestStorageOptions.of(1, SyncMode.PERIODIC));
  }

  VectorTable(VectorOptions options, TestStorageOptions storageOptions) {
    this.options = options;
    storage = new SimStorage(1, storageOptions.build(), tables(INDEX, NUMBERS));
  }

  Tables tables(int... indexes) {
    List<IndexDescriptor> descriptors = new ArrayList<>();
    for (int index : indexes) {
      descriptors.add(
          index == NUMBERS
              ? new IndexDescriptor(NUMBERS, Source.CELLS, NUMBER_COLUMN, TERMS)
              : new IndexDescriptor(
                  index, Source.VECTORS, VECTOR_COLUMN, new IndexTerms() {}, options));
    }
    List<TableDescriptor.Column> columns = new ArrayList<>();
    for (int id = 1; id <= STATIC_COLUMN; id++) {
      columns.add(
          new TableDescriptor.Column(id, TableDescriptor.Kind.SIMPLE, RowFormat.NO_TIMESTAMP));
    }
    return new Tables(
        1,
        List.of(
            new TableDescriptor(
                TABLE,
                columns,
                SimStorage.GRACE_SECONDS,
                TableDescriptor.Compression.LZ4,
                compactionThreshold,
                2 * compactionThreshold,
                0.01,
                descriptors)),
        TABLE);
  }

  private ByteWriter encoded(float[] vector) {
    ByteWriter value = new ByteWriter(4 * vector.length);
    for (float each : vector) {
      value.putInt(Float.floatToRawIntBits(each));
    }
    return value;
  }

  private MutationWriter begin(int partition) {
    ByteWriter prefix = TestKeys.prefix(partition);
    bytes.clear();
    writer.begin(TestKeys.token(partition), 1, prefix.segment(), 0, prefix.size());
    return writer.beginTable(TABLE);
  }

  private void apply(int partition) {
    writer.endTable();
    writer.finish();
    storage.awaitSuccess(storage.apply(partition, bytes));
  }

  void write(int partition, int clustering, float[] vector, int number) {
    long now = ++timestamp;
    begin(partition);
    ByteWriter suffix = TestKeys.suffix(clustering, KeyFormat.TAG_END);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(now);
    ByteWriter value = encoded(vector);
    writer.cell(VECTOR_COLUMN, now, value.segment(), 0, value.size());
    value.clear().putInt(number);
    writer.cell(NUMBER_COLUMN, now, value.segment(), 0, value.size());
    writer.endRow();
    apply(partition);
    model.put(List.of(partition, clustering), new Row(vector, number));
  }

  void writeStatic(int partition, int value) {
    long now = ++timestamp;
    begin(partition);
    ByteWriter suffix = TestKeys.staticSuffix();
    writer.beginRow(suffix.segment(), 0, suffix.size());
    ByteWriter cell = new ByteWriter(4).putInt(value);
    writer.cell(STATIC_COLUMN, now, cell.segment(), 0, 4).endRow();
    apply(partition);
  }

  void delete(int partition, int clustering) {
    long now = ++timestamp;
    begin(partition);
    ByteWriter suffix = TestKeys.suffix(clustering, KeyFormat.TAG_END);
    writer.beginRow(suffix.segment(), 0, suffix.size());
    writer.rowDeletion(now, storage.nowSeconds()).endRow();
    apply(partition);
    model.remove(List.of(partition, clustering));
  }

  void deleteVector(int partition, int clustering) {
    long now = ++timestamp;
    begin(partition);
    ByteWriter suffix = TestKeys.suffix(clustering, KeyFormat.TAG_END);
    writer.beginRow(suffix.segment(), 0, suffix.size());
    writer.tombstone(VECTOR_COLUMN, now, storage.nowSeconds()).endRow();
    apply(partition);
    model.remove(List.of(partition, clustering));
  }

  float[] random(Random random) {
    float[] vector = new float[options.dimension()];
    double sum = 0;
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
      sum += vector[i] * vector[i];
    }
    if (options.similarity() == Similarity.DOT_PRODUCT) {
      for (int i = 0; i < vector.length; i++) {
        vector[i] /= (float) Math.sqrt(sum);
      }
    }
    return vector;
  }

  VectorScore score(float[] query) {
    ByteWriter vector = encoded(query);
    return new VectorScore(options, vector.segment(), 0, vector.size());
  }

  /** The nearest rows of the model whose numbers pass a test. */
  List<Found> expected(float[] query, int count, IntPredicate partitions, IntPredicate numbers) {
    VectorScore score = score(query);
    List<Found> all = new ArrayList<>();
    model.forEach(
        (key, row) -> {
          if (partitions.test(key.get(0)) && numbers.test(row.number)) {
            float similarity = score.of(row.vector, VectorScore.squaredLength(row.vector));
            all.add(new Found(key.get(0), key.get(1), similarity));
          }
        });
    all.sort(Comparator.comparing(Found::score).reversed());
    return all.subList(0, Math.min(count, all.size()));
  }

  /** The nearest rows that storage finds, of those whose numbers pass a test. */
  List<Found> found(float[] query, int count, Filter filter, IntPredicate numbers) {
    ByteWriter vector = encoded(query);
    Sink sink = new Sink(score(query), numbers);
    for (StorageEngine engine : storage.storage().engines()) {
      ReadRequest request = new ReadRequest().reset(TABLE, storage.nowSeconds());
      filter.on(request);
      request.nearest(INDEX, vector.segment(), 0, vector.size(), count);
      storage.drive(engine.read(request), sink);
      sink.previous = Float.POSITIVE_INFINITY;
    }
    sink.found.sort(Comparator.comparing(Found::score).reversed());
    return sink.found.subList(0, Math.min(count, sink.found.size()));
  }

  private final class Sink implements RowSink {
    final List<Found> found = new ArrayList<>();
    private final VectorScore score;
    private final IntPredicate numbers;
    private float previous = Float.POSITIVE_INFINITY;
    private int partition;

    Sink(VectorScore score, IntPredicate numbers) {
      this.score = score;
      this.numbers = numbers;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      partition = TestKeys.partitionKey(prefix, offset);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      int key = TestKeys.clustering(clustering, offset);
      float[] vector = new float[options.dimension()];
      int number = 0;
      row.rewind();
      while (row.nextCell()) {
        if (row.column() == VECTOR_COLUMN) {
          VectorScore.read(row.segment(), row.valueOffset(), vector);
        } else if (row.column() == NUMBER_COLUMN) {
          number = io.helenus.storage.bytes.Bytes.getInt(row.segment(), row.valueOffset());
        }
      }
      float similarity = score.of(vector, VectorScore.squaredLength(vector));
      if (similarity > previous) {
        throw new AssertionError("rows are out of order");
      }
      previous = similarity;
      if (!numbers.test(number)) {
        return Next.CONTINUE;
      }
      found.add(new Found(partition, key, similarity));
      return Next.KEPT;
    }
  }
}
