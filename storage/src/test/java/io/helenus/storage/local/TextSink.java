package io.helenus.storage.local;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.TreeMap;

/** Formats the result of a read by partition, in the format of the model. */
final class TextSink implements RowSink {
  final TreeMap<Integer, StringBuilder> partitions = new TreeMap<>();
  private final long nowSeconds;
  private final PartitionKeys keys;
  private StringBuilder text = new StringBuilder();
  int rows;

  TextSink(long nowSeconds) {
    this(nowSeconds, TestKeys::partitionKey);
  }

  TextSink(long nowSeconds, PartitionKeys keys) {
    this.nowSeconds = nowSeconds;
    this.keys = keys;
  }

  /** Decodes partition keys from key prefixes. */
  interface PartitionKeys {
    int of(MemorySegment prefix, long offset);
  }

  String partition(int partitionKey) {
    StringBuilder shown = partitions.get(partitionKey);
    return shown == null ? "" : shown.toString();
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    text = new StringBuilder();
    StringBuilder before = partitions.put(keys.of(prefix, offset), text);
    if (before != null) {
      throw new AssertionError("a partition was returned twice");
    }
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    text.append("static");
    show(row);
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    rows++;
    text.append(TestKeys.clustering(clustering, offset));
    show(row);
    return Next.CONTINUE;
  }

  private void show(RowView row) {
    if (row.isLive(nowSeconds)) {
      text.append(" row@").append(row.timestamp());
    }
    row.rewind();
    while (row.nextCell()) {
      if (row.cellIsLive(nowSeconds)) {
        if (row.pathLength() < 0) {
          text.append(" c").append(row.column()).append('=');
        } else {
          text.append(" e").append(Bytes.getInt(row.segment(), row.pathOffset())).append('=');
        }
        text.append(Bytes.getInt(row.segment(), row.valueOffset()));
        text.append('@').append(row.cellTimestamp());
      }
    }
    text.append('\n');
  }
}
