package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationWriter;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Generates random writes and applies each to the model and, as a mutation, to the fixture. */
final class RandomWrites {
  static final int COLUMNS = 4;

  private final SplittableRandom random;
  private final RowModel model;
  private final int partitions;
  private final int width;
  private final int timestamps;
  private final int paths;
  private final ByteWriter bytes = new ByteWriter(256);
  private final MutationWriter mutation = new MutationWriter(bytes);
  long now = 1000;

  /** Appended to the values of elements. */
  String padding = "";

  RandomWrites(
      SplittableRandom random,
      RowModel model,
      int partitions,
      int width,
      int timestamps,
      int paths) {
    this.paths = paths;
    this.random = random;
    this.model = model;
    this.partitions = partitions;
    this.width = width;
    this.timestamps = timestamps;
  }

  ByteWriter next() {
    if (random.nextInt(20) == 0) {
      now += random.nextInt(5);
    }
    int partition = random.nextInt(partitions);
    ByteWriter prefix = Keys.prefix(partition);
    bytes.clear();
    mutation.begin(Keys.token(partition), 1, prefix.segment(), 0, prefix.size());
    mutation.beginTable(ReadFixture.TABLE);
    int entries = random.nextInt(8) == 0 ? 1 + random.nextInt(4) : 1;
    for (int i = 0; i < entries; i++) {
      entry(partition);
    }
    mutation.endTable().finish();
    return bytes;
  }

  private long timestamp() {
    return 1 + random.nextInt(timestamps);
  }

  private void entry(int partition) {
    switch (random.nextInt(40)) {
      case 0 -> partitionDeletion(partition);
      case 1, 2, 3 -> rangeDeletion(partition);
      case 4, 5 -> row(partition, random.nextInt(width), random.nextInt(width), true);
      case 6, 7 -> row(partition, 0, RowModel.STATIC, false);
      default -> row(partition, random.nextInt(width), random.nextInt(width), false);
    }
  }

  private void partitionDeletion(int partition) {
    long timestamp = timestamp();
    mutation.partitionDeletion(timestamp, now);
    model.add(
        new RowModel.Write(
            RowModel.Kind.PARTITION_DELETION, partition, 0, 0, 0, timestamp, 0, now, "", 0, 0));
  }

  private void rangeDeletion(int partition) {
    int fromA = random.nextInt(width);
    int toA = fromA + random.nextInt(width);
    int fromB = random.nextBoolean() ? -1 : random.nextInt(width);
    int toB = random.nextBoolean() ? -1 : random.nextInt(width);
    long timestamp = timestamp();
    ByteWriter start = Keys.bound(fromA, fromB, false);
    ByteWriter end = Keys.bound(toA, toB, true);
    mutation.rangeDeletion(
        start.segment(), 0, start.size(), end.segment(), 0, end.size(), timestamp, now);
    model.add(
        new RowModel.Write(
            RowModel.Kind.RANGE_DELETION,
            partition,
            fromA,
            fromB,
            0,
            timestamp,
            0,
            now,
            "",
            toA,
            toB));
  }

  private void row(int partition, int a, int b, boolean deletion) {
    ByteWriter suffix = b == RowModel.STATIC ? Keys.staticRow() : Keys.row(a, b);
    mutation.beginRow(suffix.segment(), 0, suffix.size());
    long timestamp = timestamp();
    boolean insert = b != RowModel.STATIC && !deletion && random.nextInt(3) > 0;
    int ttl = !deletion && random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 0;
    if (insert) {
      mutation.liveness(timestamp);
      add(RowModel.Kind.LIVENESS, partition, a, b, 0, timestamp, ttl, now + ttl, "");
    }
    if (ttl > 0) {
      mutation.rowExpiry(ttl, now + ttl);
    }
    if (deletion) {
      mutation.rowDeletion(timestamp, now);
      add(RowModel.Kind.ROW_DELETION, partition, a, b, 0, timestamp, 0, now, "");
    }
    if (!deletion || random.nextInt(3) == 0) {
      cells(partition, a, b, timestamp, ttl);
    }
    mutation.endRow();
  }

  private void cells(int partition, int a, int b, long rowTimestamp, int ttl) {
    for (int column = 1; column <= COLUMNS; column++) {
      long timestamp = random.nextInt(5) == 0 ? timestamp() : rowTimestamp;
      switch (random.nextInt(6)) {
        case 0 -> {
          mutation.tombstone(column, timestamp, now);
          add(RowModel.Kind.TOMBSTONE, partition, a, b, column, timestamp, 0, now, "");
        }
        case 1, 2 -> {
          // leave this column unchanged
        }
        default -> {
          String value = "v" + random.nextInt(50);
          byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
          ByteWriter plain = new ByteWriter(16).putBytes(utf8);
          mutation.cell(column, timestamp, plain.segment(), 0, plain.size());
          add(RowModel.Kind.CELL, partition, a, b, column, timestamp, ttl, now + ttl, value);
        }
      }
    }
    if (paths > 0 && random.nextInt(3) == 0) {
      pathCells(partition, a, b, rowTimestamp, ttl);
    }
    if (b != RowModel.STATIC && random.nextInt(3) == 0) {
      int column = RowModel.KEY_FORM;
      String value = "k" + random.nextInt(5);
      ByteWriter plain = new ByteWriter(16).putBytes(value.getBytes(StandardCharsets.UTF_8));
      mutation.keyForm(column, rowTimestamp, plain.segment(), 0, plain.size());
      add(RowModel.Kind.CELL, partition, a, b, column, rowTimestamp, ttl, now + ttl, value);
    }
  }

  /** A random overwrite, addition or removal of elements of the multi-cell column. */
  private void pathCells(int partition, int a, int b, long rowTimestamp, int ttl) {
    int column = RowModel.MULTI_CELL;
    if (random.nextInt(3) == 0) {
      long timestamp = random.nextBoolean() ? rowTimestamp - 1 : timestamp();
      mutation.columnDeletion(column, timestamp, now);
      add(RowModel.Kind.COLUMN_DELETION, partition, a, b, column, timestamp, 0, now, "");
    }
    for (int path = 0; path < paths; path++) {
      int known = RowModel.pathCell(path);
      long timestamp = random.nextInt(5) == 0 ? timestamp() : rowTimestamp;
      ByteWriter bytesOfPath = new ByteWriter(4).putInt(path);
      switch (random.nextInt(6)) {
        case 0 -> {
          mutation.pathTombstone(column, timestamp, now, bytesOfPath.segment(), 0, 4);
          add(RowModel.Kind.TOMBSTONE, partition, a, b, known, timestamp, 0, now, "");
        }
        case 1, 2 -> {
          String value = "e" + random.nextInt(50) + padding;
          ByteWriter plain = new ByteWriter(16).putBytes(value.getBytes(StandardCharsets.UTF_8));
          mutation.pathCell(
              column, timestamp, bytesOfPath.segment(), 0, 4, plain.segment(), 0, plain.size());
          add(RowModel.Kind.CELL, partition, a, b, known, timestamp, ttl, now + ttl, value);
        }
        default -> {
          // leave this element unchanged
        }
      }
    }
  }

  private void add(
      RowModel.Kind kind,
      int partition,
      int a,
      int b,
      int column,
      long timestamp,
      int ttl,
      long seconds,
      String value) {
    model.add(
        new RowModel.Write(kind, partition, a, b, column, timestamp, ttl, seconds, value, 0, 0));
  }
}
