package io.helenus.server.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects rows as texts; checks order of keys and the bytes of values. One thread. */
final class RowTexts implements RowSink {
  final TableSchema table;
  final List<Map<String, String>> rows = new ArrayList<>();
  final List<String> partitions = new ArrayList<>();
  private final List<String> key = new ArrayList<>();
  int stopAfter = Integer.MAX_VALUE;

  RowTexts(TableSchema table) {
    this.table = table;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    key.clear();
    ByteWriter value = new ByteWriter(64);
    if (table.partitioner() == Partitioner.MURMUR3) {
      long end = KeyFormat.readPartitionKey(prefix, offset, value);
      assertEquals(offset + length, end);
      key.add(partitionText(value.toArray()));
    } else {
      long at = offset;
      for (ColumnSchema column : table.partitionKey()) {
        KeyEncoding encoding = Objects.requireNonNull(column.type().keyEncoding());
        at = encoding.read(prefix, at, false, value.clear());
        key.add(text(column, value.toArray()));
      }
      assertEquals(offset + length, at);
    }
    partitions.add(String.join("|", key));
    return Next.CONTINUE;
  }

  private String partitionText(byte[] key) {
    return table.partitionKey().size() == 1
        ? text(table.partitionKey().getFirst(), key)
        : "composite of " + PartitionKeys.of(List.of(key)).length;
  }

  private static String text(ColumnSchema column, byte[] value) {
    MemorySegment segment = new ByteWriter(value.length).putBytes(value).segment();
    column.type().validate(segment, 0, value.length);
    return column.type().toLiteral(value);
  }

  @Override
  public Next staticRow(RowView row) {
    throw new AssertionError("no virtual table has static columns");
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    Map<String, String> texts = new TreeMap<>();
    texts.put("", String.join("|", key));
    ByteWriter value = new ByteWriter(64);
    long at = offset;
    for (ColumnSchema column : table.clusteringColumns()) {
      KeyEncoding encoding = Objects.requireNonNull(column.type().keyEncoding());
      at = encoding.read(clustering, at, column.descending(), value.clear());
      texts.put(column.name(), text(column, value.toArray()));
    }
    assertEquals(KeyFormat.TAG_END, Bytes.getUnsignedByte(clustering, at));
    assertEquals(offset + length, at + 1);
    assertTrue(row.isLive(0));
    for (Map.Entry<ColumnSchema, byte[]> reported : values(row).entrySet()) {
      texts.put(reported.getKey().name(), text(reported.getKey(), reported.getValue()));
    }
    rows.add(texts);
    return rows.size() >= stopAfter ? Next.STOP : Next.CONTINUE;
  }

  /** The values of the row's cells, those of one collection together. */
  private Map<ColumnSchema, byte[]> values(RowView row) {
    Map<ColumnSchema, byte[]> values = new LinkedHashMap<>();
    ByteWriter elements = new ByteWriter(64);
    int last = 0;
    int count = 0;
    while (row.nextCell()) {
      boolean same = row.column() == last;
      assertTrue(row.column() > last || (same && row.pathLength() > 0));
      last = row.column();
      ColumnSchema column = column(last);
      if (column == null) {
        continue;
      }
      assertEquals(column.multiCell(), row.pathLength() > 0);
      if (!column.multiCell()) {
        values.put(column, Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength()));
        continue;
      }
      if (!same) {
        elements.clear().putInt(0);
        count = 0;
      }
      CollectionCells.of(column.type()).read(row, elements);
      elements.setInt(0, ++count);
      values.put(column, elements.toArray());
    }
    return values;
  }

  private @Nullable ColumnSchema column(int id) {
    for (ColumnSchema column : table.regularColumns()) {
      if (column.id() == id) {
        return column;
      }
    }
    return null;
  }
}
