package io.helenus.server.system;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.CollectionElements;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.RowSink.Next;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rows of one virtual table for one read and passes them to its sink. Rows that the read
 * does not select are dropped once their key is known, and values of columns that it does not read
 * are not encoded.
 *
 * <ol>
 *   <li>For each row: {@link #row}, a setter for each key column, then a setter for each other
 *       column, {@link #end}.
 *   <li>{@link #flush} sorts the rows built since the last flush and passes them on. All of them
 *       must precede, in the order of the read, those of the next flush.
 * </ol>
 *
 * One thread.
 */
final class VirtualRows {
  private static final CollectionElements.ListPaths NO_LISTS = new NoLists();

  private record Row(byte[] prefix, byte[] suffix, byte[] cells) {}

  private static final Comparator<Row> BY_PREFIX =
      (a, b) -> Arrays.compareUnsigned(a.prefix(), b.prefix());
  private static final Comparator<Row> BY_SUFFIX =
      (a, b) -> Arrays.compareUnsigned(a.suffix(), b.suffix());

  private final TableSchema table;
  private final VirtualKeys keys;
  private final RowSink sink;
  private final Comparator<Row> order;
  private final long timestampMicros;
  private final List<ColumnSchema> cellColumns;
  private final boolean[] neededById;
  private final Map<String, byte[]> values = new HashMap<>();
  private final List<Row> pending = new ArrayList<>();
  private final ByteWriter scratch = new ByteWriter(256);
  private final RowView view = new RowView();
  private byte @Nullable [] prefix;
  private byte @Nullable [] suffix;
  private boolean rowKnown;
  private boolean rowWanted;
  private byte @Nullable [] partition;
  private boolean partitionSkipped;
  private boolean stopped;
  private int rowsStarted;
  private int rowsBuilt;
  private int valuesBuilt;

  VirtualRows(TableSchema table, ReadRequest request, RowSink sink, long timestampMicros) {
    this.table = table;
    this.keys = new VirtualKeys(table, request);
    this.sink = sink;
    this.order =
        BY_PREFIX.thenComparing(request.keys().isReversed() ? BY_SUFFIX.reversed() : BY_SUFFIX);
    this.timestampMicros = timestampMicros;
    this.cellColumns = cellColumns(table, request);
    this.neededById = new boolean[table.lastColumnId() + 1];
    for (ColumnSchema column : cellColumns) {
      neededById[column.id()] = true;
    }
  }

  /** The regular columns that are read, by id. */
  private static List<ColumnSchema> cellColumns(TableSchema table, ReadRequest request) {
    List<ColumnSchema> read = new ArrayList<>(table.regularColumns());
    if (request.columns().areRestricted()) {
      int[] ids = request.columns().ids();
      read.removeIf(column -> Arrays.binarySearch(ids, column.id()) < 0);
    }
    read.sort(Comparator.comparingInt(ColumnSchema::id));
    return read;
  }

  /** The table. */
  TableSchema table() {
    return table;
  }

  /** The keys that the read selects. */
  VirtualKeys keys() {
    return keys;
  }

  /** Whether the read needs anything besides the key columns. */
  boolean readsCells() {
    return !cellColumns.isEmpty();
  }

  /** The number of rows started, whether or not the read selects them. */
  int rowsStarted() {
    return rowsStarted;
  }

  /** The number of rows built. */
  int rowsBuilt() {
    return rowsBuilt;
  }

  /** The number of values computed, including key columns. */
  int valuesBuilt() {
    return valuesBuilt;
  }

  /** Whether the sink has ended the read. */
  boolean isStopped() {
    return stopped;
  }

  /** Starts a row. */
  VirtualRows row() {
    rowsStarted++;
    values.clear();
    rowKnown = false;
    return this;
  }

  /** Sets a column to wire bytes; null leaves it null. The supplier is called only if needed. */
  VirtualRows set(String column, Supplier<byte @Nullable []> value) {
    if (needs(column)) {
      put(column, value.get());
    }
    return this;
  }

  VirtualRows bytes(String column, byte[] value) {
    if (needs(column)) {
      put(column, value);
    }
    return this;
  }

  VirtualRows text(String column, @Nullable String value) {
    if (needs(column)) {
      put(column, value == null ? null : WireValues.ofText(value));
    }
    return this;
  }

  VirtualRows textSet(String column, Collection<String> value) {
    if (needs(column)) {
      put(column, WireValues.ofTextSet(value));
    }
    return this;
  }

  VirtualRows textMap(String column, Map<String, String> value) {
    if (needs(column)) {
      put(column, WireValues.ofTextMap(value));
    }
    return this;
  }

  VirtualRows number(String column, int value) {
    if (needs(column)) {
      put(column, WireValues.ofInt(value));
    }
    return this;
  }

  /** bigint, or timestamp in milliseconds. */
  VirtualRows bigint(String column, long value) {
    if (needs(column)) {
      put(column, WireValues.ofLong(value));
    }
    return this;
  }

  VirtualRows real(String column, double value) {
    if (needs(column)) {
      put(column, WireValues.ofDouble(value));
    }
    return this;
  }

  VirtualRows bool(String column, boolean value) {
    if (needs(column)) {
      put(column, WireValues.ofBoolean(value));
    }
    return this;
  }

  VirtualRows uuid(String column, UUID value) {
    if (needs(column)) {
      put(column, WireValues.ofUuid(value));
    }
    return this;
  }

  VirtualRows inet(String column, InetAddress value) {
    if (needs(column)) {
      put(column, WireValues.ofInet(value));
    }
    return this;
  }

  /** Whether a column's value is needed: the read selects both the row and the column. */
  private boolean needs(String name) {
    ColumnSchema column = table.column(name);
    if (column == null) {
      throw new IllegalStateException(table + " has no column " + name);
    }
    return column.isPrimaryKey() || (neededById[column.id()] && isRowWanted());
  }

  private void put(String column, byte @Nullable [] value) {
    valuesBuilt++;
    if (value != null) {
      values.put(column, value);
    }
  }

  /** Whether the row is read; its key columns have been set. */
  private boolean isRowWanted() {
    if (!rowKnown) {
      rowKnown = true;
      prefix = keys.partition(keyValues(table.partitionKey()));
      suffix = keys.row(keyValues(table.clusteringColumns()));
      rowWanted = keys.partitions().contains(prefix) && keys.containsRow(suffix);
    }
    return rowWanted;
  }

  private List<byte[]> keyValues(List<ColumnSchema> columns) {
    List<byte[]> key = new ArrayList<>(columns.size());
    for (ColumnSchema column : columns) {
      byte[] value = values.get(column.name());
      if (value == null) {
        throw new IllegalStateException("row of " + table + " without key column " + column.name());
      }
      key.add(value);
    }
    return key;
  }

  /** Ends the row: keeps it if it is read. */
  void end() {
    if (isRowWanted() && prefix != null && suffix != null) {
      rowsBuilt++;
      pending.add(new Row(prefix, suffix, cells()));
    }
  }

  private byte[] cells() {
    scratch.clear().putByte(RowFormat.ROW_LIVENESS).putLong(timestampMicros);
    for (ColumnSchema column : cellColumns) {
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
    elements.begin(CollectionCells.of(column.type()));
    elements.add(wire.segment(), 0, NO_LISTS);
    elements.end();
    for (int i = 0; i < elements.count(); i++) {
      scratch.putVarint(column.id()).putByte(RowFormat.CELL_PATH);
      scratch.putVarint(elements.pathLength(i));
      scratch.putBytes(elements.segment(), elements.pathOffset(i), elements.pathLength(i));
      scratch.putVarint(elements.valueLength(i));
      scratch.putBytes(elements.segment(), elements.valueOffset(i), elements.valueLength(i));
    }
  }

  /** Virtual tables have no list columns. */
  private static final class NoLists implements CollectionElements.ListPaths {
    @Override
    public void putNext(ByteWriter out) {
      throw new IllegalStateException("list column in a virtual table");
    }

    @Override
    public long reservePreceding(int count) {
      throw new IllegalStateException("list column in a virtual table");
    }

    @Override
    public void putPreceding(long time, ByteWriter out) {
      throw new IllegalStateException("list column in a virtual table");
    }
  }

  /**
   * Passes the rows built since the last flush to the sink.
   *
   * @return how to continue the read: SKIP_PARTITION if the sink wants no more rows of this flush's
   *     last partition
   */
  Next flush() {
    if (pending.isEmpty()) {
      return Next.CONTINUE;
    }
    if (pending.size() > 1) {
      pending.sort(order);
    }
    for (Row row : pending) {
      if (stopped) {
        break;
      }
      pass(row);
    }
    pending.clear();
    if (stopped) {
      return Next.STOP;
    }
    return partitionSkipped ? Next.SKIP_PARTITION : Next.CONTINUE;
  }

  private void pass(Row row) {
    if (partition == null || !Arrays.equals(partition, row.prefix())) {
      partition = row.prefix();
      scratch.clear().putBytes(partition);
      obey(sink.partition(scratch.segment(), 0, scratch.size()));
    }
    if (stopped || partitionSkipped) {
      return;
    }
    int clustering = row.suffix().length - 1;
    scratch.clear().putBytes(row.suffix(), 1, clustering).putBytes(row.cells());
    view.wrap(scratch.segment(), clustering, row.cells().length);
    obey(sink.row(scratch.segment(), 0, clustering, view));
  }

  private void obey(Next next) {
    stopped = next == Next.STOP;
    partitionSkipped = next == Next.SKIP_PARTITION;
  }
}
