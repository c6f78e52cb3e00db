package io.helenus.server.query.selection;

import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionArguments;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.MapType;
import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The row at which a read is positioned: its partition, clustering key and cells, from which the
 * inputs of a selection are appended to a result. Confined to one thread at a time.
 */
public final class CurrentRow {
  private static final int KEPT_BYTES = 64 << 10;

  private final ClusteringKey clustering = new ClusteringKey();
  private final ElementBounds bounds = new ElementBounds();
  private final PartitionContext partition;
  private final RowCells cells;
  private final ByteWriter decoded;
  private int staticCount;
  private boolean receivesElements;
  private long nowSeconds;

  /** Takes memory for large rows from these segments. */
  public CurrentRow(LargeSegments segments) {
    partition = new PartitionContext(bounds, segments);
    cells = new RowCells(bounds, segments);
    decoded = ByteWriter.recycling(segments, 64);
  }

  /**
   * Starts a read.
   *
   * @throws CqlException INVALID if a value that selects elements is null or unset
   */
  public void begin(KeyLayout keys, Selection selection, BoundSlots bound, long now) {
    selection.bindElements(bounds, bound);
    start(keys, selection.readColumns(), selection.readsElementTimes(), now);
  }

  /** Starts a read of the values of whole columns. */
  public void begin(KeyLayout keys, ReadColumns columns, long now) {
    bounds.clear();
    start(keys, columns, false, now);
  }

  /** Restricts a request, whose partition or range is set, to the elements that are selected. */
  public void addElements(ReadRequest request) {
    bounds.addTo(request);
  }

  /** What may receive the elements of a row before the row; null if no collection is read. */
  public @Nullable ElementSink elements() {
    return receivesElements ? cells : null;
  }

  private void start(KeyLayout keys, ReadColumns columns, boolean elementTimes, long now) {
    nowSeconds = now;
    staticCount = columns.staticCount();
    receivesElements = columns.hasCollections();
    partition.begin(keys, columns, elementTimes, now);
    clustering.begin(keys);
    cells.begin(columns, staticCount, columns.count(), keys.clusteringCount(), elementTimes, now);
  }

  /** Ends the read and releases the memory of large rows. */
  void end() {
    partition.end();
    cells.end();
    decoded.clear(KEPT_BYTES);
  }

  /** Begins a partition. */
  public void partition(MemorySegment segment, long offset, int length) {
    partition.partition(segment, offset, length);
    noRow();
  }

  /** Sets the partition's static row. */
  public void staticRow(RowView row) {
    partition.staticRow(row);
  }

  /** Sets the row and its clustering key, without the section. */
  public void row(MemorySegment key, long offset, int length, RowView row) {
    clustering.set(key, offset, length);
    cells.read(row);
  }

  /** Positions at a partition without rows, which has only a static row. */
  public void noRow() {
    clustering.clear();
    cells.clear();
  }

  /** Whether there is a regular row. */
  public boolean hasRow() {
    return clustering.length() > 0;
  }

  /** The key prefix of the partition. */
  public ByteWriter prefix() {
    return partition.prefix();
  }

  /** The clustering key. */
  public ClusteringKey clustering() {
    return clustering;
  }

  /**
   * Appends an input of the selection as a [bytes] of the protocol. Small, so that it is inlined
   * into the loop over the columns of a row.
   */
  public void put(SelectionInput input, ByteWriter out) {
    int index = input.index();
    switch (input.kind()) {
      case CELL -> cells(index).putValue(index, out);
      case CLUSTERING -> putClustering(index, out);
      case PARTITION_KEY -> partition.putKey(index, out);
      default -> putPart(input, index, out);
    }
  }

  /** Makes a cell the only argument of a call, without copying it. */
  void setArgument(SelectionInput cell, FunctionArguments arguments) {
    cells(cell.index()).setArgument(cell.index(), arguments);
  }

  private void putPart(SelectionInput input, int index, ByteWriter out) {
    switch (input.kind()) {
      case CELL, CLUSTERING, PARTITION_KEY ->
          throw new IllegalStateException(input.kind() + " is a whole value");
      case COUNTER -> cells(index).putCounter(index, out);
      case WRITE_TIME -> cells(index).putWriteTime(index, out);
      case TIME_TO_LIVE -> cells(index).putTimeToLive(index, out);
      case CELLS -> cells(index).collections().putValue(index, out);
      case WRITE_TIMES -> cells(index).collections().putWriteTimes(index, out);
      case LATEST_WRITE_TIME -> cells(index).collections().putLatestWriteTime(index, out);
      case TIMES_TO_LIVE -> cells(index).collections().putTimesToLive(index, nowSeconds, out);
      case FIELDS -> cells(index).putFields(index, fields(input), out);
      case FIELD_WRITE_TIMES -> cells(index).putWriteTimes(index, fields(input), out);
      case LATEST_FIELD_WRITE_TIME -> cells(index).putLatestWriteTime(index, fields(input), out);
      case FIELD_TIMES_TO_LIVE -> cells(index).putTimesToLive(index, fields(input), out);
      case ELEMENT -> range(index).putElement(0, input.type() instanceof MapType, out);
      case SLICE -> range(index).putValue(0, out);
      case ELEMENT_WRITE_TIME -> range(index).putLatestWriteTime(0, out);
      case ELEMENT_TIME_TO_LIVE -> range(index).putTimeToLive(0, nowSeconds, out);
      case SLICE_WRITE_TIMES -> range(index).putWriteTimes(0, out);
      case SLICE_LATEST_WRITE_TIME -> range(index).putLatestWriteTime(0, out);
      case SLICE_TIMES_TO_LIVE -> range(index).putTimesToLive(0, nowSeconds, out);
    }
  }

  private static int fields(SelectionInput input) {
    return ((UserType) input.type()).fieldNames().size();
  }

  private RowCells cells(int slot) {
    return slot < staticCount ? partition.staticCells() : cells;
  }

  private CollectedCells range(int range) {
    return cells(bounds.slot(range)).range(range);
  }

  private void putClustering(int position, ByteWriter out) {
    if (!hasRow()) {
      out.putInt(-1);
    } else if (!cells.putKeyCell(position, out)) {
      clustering.put(position, out);
    }
  }

  /** An input of the selection as an array; null for a null value. Not for the hot path. */
  public byte @Nullable [] bytes(SelectionInput input) {
    decoded.clear(KEPT_BYTES);
    put(input, decoded);
    int length = Bytes.getInt(decoded.segment(), 0);
    return length < 0 ? null : Bytes.toArray(decoded.segment(), 4, length);
  }
}
