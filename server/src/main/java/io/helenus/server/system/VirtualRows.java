package io.helenus.server.system;

import io.helenus.server.ring.Murmur3;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.CollectionElements;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.RowSink.Next;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one virtual table for one request: filled in any order, kept when asked for, handed
 * over in key order. Keys and rows are encoded as storage encodes them (storage/docs/rows.md).
 *
 * <ol>
 *   <li>For each row: {@link #row}, a setter for each value, {@link #end}.
 *   <li>{@link #handTo} sorts and hands over.
 * </ol>
 *
 * One thread.
 */
final class VirtualRows {
  private record Row(byte[] prefix, byte[] suffix, byte[] cells) {}

  private final TableSchema table;
  private final ReadRequest request;
  private final long timestampMicros;
  private final Map<String, byte[]> values = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final ByteWriter scratch = new ByteWriter(256);

  VirtualRows(TableSchema table, ReadRequest request, long timestampMicros) {
    this.table = table;
    this.request = request;
    this.timestampMicros = timestampMicros;
  }

  /** How many rows there are for the request. */
  int count() {
    return rows.size();
  }

  /** The table. */
  TableSchema table() {
    return table;
  }

  /** Starts a row. */
  VirtualRows row() {
    values.clear();
    return this;
  }

  /** Sets a column to wire bytes; null leaves it null. */
  VirtualRows set(String column, byte @Nullable [] value) {
    if (value != null) {
      if (table.column(column) == null) {
        throw new IllegalStateException(table + " has no column " + column);
      }
      values.put(column, value);
    }
    return this;
  }

  VirtualRows text(String column, @Nullable String value) {
    return set(column, value == null ? null : WireValues.ofText(value));
  }

  VirtualRows number(String column, int value) {
    return set(column, WireValues.ofInt(value));
  }

  /** bigint, or timestamp in milliseconds. */
  VirtualRows bigint(String column, long value) {
    return set(column, WireValues.ofLong(value));
  }

  VirtualRows real(String column, double value) {
    return set(column, WireValues.ofDouble(value));
  }

  VirtualRows bool(String column, boolean value) {
    return set(column, WireValues.ofBoolean(value));
  }

  VirtualRows uuid(String column, UUID value) {
    return set(column, WireValues.ofUuid(value));
  }

  VirtualRows inet(String column, InetAddress value) {
    return set(column, WireValues.ofInet(value));
  }

  /** Whether rows of this partition, a single text, are asked for. */
  boolean wantsPartition(String key) {
    return isWanted(prefix(List.of(WireValues.ofText(key))));
  }

  /** Ends the row: keeps it if it is asked for. */
  void end() {
    List<byte[]> key = new ArrayList<>(table.partitionKey().size());
    for (ColumnSchema column : table.partitionKey()) {
      key.add(required(column));
    }
    byte[] prefix = prefix(key);
    if (isWanted(prefix)) {
      byte[] suffix = suffix();
      if (isInSlices(suffix)) {
        rows.add(new Row(prefix, suffix, cells()));
      }
    }
  }

  private byte[] required(ColumnSchema column) {
    byte[] value = values.get(column.name());
    if (value == null) {
      throw new IllegalStateException("a row of " + table + " lacks its key " + column.name());
    }
    return value;
  }

  private byte[] prefix(List<byte[]> key) {
    scratch.clear();
    if (table.partitioner() == Partitioner.MURMUR3) {
      byte[] whole = PartitionKeys.of(key);
      ByteWriter in = new ByteWriter(whole.length).putBytes(whole);
      KeyFormat.putPartition(Murmur3.token(whole), in.segment(), 0, whole.length, scratch);
    } else {
      for (int i = 0; i < key.size(); i++) {
        putComponent(table.partitionKey().get(i), key.get(i));
      }
    }
    return scratch.toArray();
  }

  private byte[] suffix() {
    scratch.clear().putByte(KeyFormat.SECTION_ROWS);
    for (ColumnSchema column : table.clusteringColumns()) {
      putComponent(column, required(column));
    }
    return scratch.putByte(KeyFormat.TAG_END).toArray();
  }

  private void putComponent(ColumnSchema column, byte[] value) {
    KeyEncoding encoding = column.type().keyEncoding();
    if (encoding == null) {
      throw new IllegalStateException("a virtual table with a key of type " + column.type());
    }
    ByteWriter in = new ByteWriter(value.length).putBytes(value);
    encoding.write(in.segment(), 0, value.length, column.descending(), scratch);
  }

  private byte[] cells() {
    scratch.clear().putByte(RowFormat.ROW_LIVENESS).putLong(timestampMicros);
    List<ColumnSchema> regular = new ArrayList<>(table.regularColumns());
    regular.sort(Comparator.comparingInt(ColumnSchema::id));
    for (ColumnSchema column : regular) {
      byte[] value = values.get(column.name());
      if (value != null && column.multiCell()) {
        putElements(column, value);
      } else if (value != null) {
        scratch.putVarint(column.id()).putByte(0).putVarint(value.length).putBytes(value);
      }
    }
    return scratch.toArray();
  }

  private void putElements(ColumnSchema column, byte[] value) {
    ByteWriter wire = new ByteWriter(value.length).putBytes(value);
    CollectionElements elements = new CollectionElements();
    elements.split(
        CollectionCells.of(column.type()), wire.segment(), 0, VirtualRows::refuseListPath);
    for (int i = 0; i < elements.count(); i++) {
      scratch.putVarint(column.id()).putByte(RowFormat.CELL_PATH);
      scratch.putVarint(elements.pathLength(i));
      scratch.putBytes(elements.segment(), elements.pathOffset(i), elements.pathLength(i));
      scratch.putVarint(elements.valueLength(i));
      scratch.putBytes(elements.segment(), elements.valueOffset(i), elements.valueLength(i));
    }
  }

  private static void refuseListPath(ByteWriter out) {
    throw new IllegalStateException("a virtual table with a list of " + out.size() + " bytes");
  }

  private boolean isWanted(byte[] prefix) {
    int lower = request.lowerLength();
    if (request.isPartition()) {
      return compare(prefix, 0, lower) == 0;
    }
    int upper = request.upperLength();
    return (lower == 0 || compare(prefix, 0, lower) >= 0)
        && (upper == 0 || compare(prefix, lower, upper) < 0);
  }

  /** Compares bytes with a slice of the request's. */
  private int compare(byte[] bytes, long offset, int length) {
    ByteWriter in = new ByteWriter(bytes.length).putBytes(bytes);
    return Bytes.compare(in.segment(), 0, bytes.length, request.segment(), offset, length);
  }

  private boolean isInSlices(byte[] suffix) {
    int slices = request.sliceCount();
    if (!request.areRowsWanted()) {
      return false;
    }
    for (int i = 0; i < slices; i++) {
      int offset = request.sliceOffset(i);
      int lower = request.sliceLowerLength(i);
      int upper = request.sliceUpperLength(i);
      int order = compare(suffix, offset, lower);
      if (upper == 0 ? order == 0 : order >= 0 && compare(suffix, offset + lower, upper) < 0) {
        return true;
      }
    }
    return slices == 0;
  }

  /**
   * Hands the rows over.
   *
   * @return whether the sink said stop
   */
  boolean handTo(RowSink sink) {
    Comparator<Row> suffixes = (a, b) -> Arrays.compareUnsigned(a.suffix(), b.suffix());
    Comparator<Row> prefixes = (a, b) -> Arrays.compareUnsigned(a.prefix(), b.prefix());
    rows.sort(prefixes.thenComparing(request.isReversed() ? suffixes.reversed() : suffixes));
    RowView view = new RowView();
    ByteWriter out = new ByteWriter(1024);
    byte[] partition = null;
    boolean skips = false;
    for (Row row : rows) {
      out.clear();
      if (partition == null || !Arrays.equals(partition, row.prefix())) {
        partition = row.prefix();
        out.putBytes(partition);
        Next next = sink.partition(out.segment(), 0, out.size());
        if (next == Next.STOP) {
          return true;
        }
        skips = next == Next.SKIP_PARTITION;
      }
      if (skips) {
        continue;
      }
      int clustering = row.suffix().length - 1;
      out.clear().putBytes(row.suffix(), 1, clustering).putBytes(row.cells());
      view.wrap(out.segment(), clustering, row.cells().length);
      Next next = sink.row(out.segment(), 0, clustering, view);
      if (next == Next.STOP) {
        return true;
      }
      skips = next == Next.SKIP_PARTITION;
    }
    return false;
  }
}
