package io.helenus.server.query.modification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The size of one table's part of a mutation as Cassandra's {@code PartitionUpdate.serializer}
 * (messaging version 4.0, the default of 5.0) encodes it. Two passes over the entries: the first
 * collects the header, the second measures the entries, which are encoded as differences to the
 * header. Two entries for one row are counted as two rows, although Cassandra merges them. Single
 * use; not thread-safe.
 */
final class UpdateSize {
  private static final int TABLE_ID_BYTES = 16;
  private static final int MARKER_BYTES = 4;
  private static final int BITMAP_LIMIT = 64;

  /** The number of clustering values per header, which contains two bits for each. */
  private static final int CLUSTERING_GROUP = 32;

  /** 2015-09-22, the epoch of Cassandra's encoding. */
  private static final long EPOCH_SECONDS = 1_442_880_000L;

  private static final long EPOCH_MICROS = EPOCH_SECONDS * 1_000_000;

  private final KeyLayout keys;
  private final List<ColumnSchema> clustering;
  private final Map<Integer, ColumnSchema> columns = new HashMap<>();
  private final Map<Integer, ColumnSchema> statics = new HashMap<>();
  private final Map<Integer, ColumnSchema> regulars = new HashMap<>();
  private final RowView row = new RowView();
  private final ByteWriter decoded = new ByteWriter(64);
  private List<ColumnSchema> staticOrder = List.of();
  private List<ColumnSchema> regularOrder = List.of();
  private long smallestTimestamp = Long.MAX_VALUE;
  private long smallestSeconds = Long.MAX_VALUE;
  private int smallestTtl = Integer.MAX_VALUE;
  private long rowCount;

  UpdateSize(TableSchema table) {
    keys = new KeyLayout(table);
    clustering = table.clusteringColumns();
    table.columns().forEach(column -> columns.put(column.id(), column));
  }

  /** The size of an unsigned varint in Cassandra's encoding, in bytes. */
  static long varintBytes(long value) {
    return (639L - Long.numberOfLeadingZeros(value | 1) * 9L) >> 6;
  }

  /** Measures the view's current table. */
  long measure(int keyLength, MutationView view) {
    forEachEntry(view, this::gather);
    staticOrder = ordered(statics);
    regularOrder = ordered(regulars);
    long bytes = TABLE_ID_BYTES + withLength(keyLength) + 1;
    bytes += smallestTimestamp == Long.MAX_VALUE ? 1 : timestampBytes(EPOCH_MICROS);
    bytes += smallestSeconds == Long.MAX_VALUE ? 1 : varintBytes(smallestSeconds - EPOCH_SECONDS);
    bytes += smallestTtl == Integer.MAX_VALUE ? 1 : varintBytes(smallestTtl);
    bytes += statics.isEmpty() ? 0 : headerBytes(staticOrder);
    bytes += headerBytes(regularOrder) + varintBytes(rowCount) + 1;
    return bytes + forEachEntry(view, this::entryBytes);
  }

  private long timestampBytes(long epochMicros) {
    return varintBytes(smallestTimestamp - epochMicros);
  }

  private static long withLength(long length) {
    return varintBytes(length) + length;
  }

  private static long headerBytes(List<ColumnSchema> columns) {
    long bytes = varintBytes(columns.size());
    for (ColumnSchema column : columns) {
      bytes += withLength(column.name().getBytes(UTF_8).length);
    }
    return bytes;
  }

  private static List<ColumnSchema> ordered(Map<Integer, ColumnSchema> columns) {
    List<ColumnSchema> order = new ArrayList<>(columns.values());
    order.sort(Comparator.comparing(ColumnSchema::multiCell).thenComparing(ColumnSchema::name));
    return order;
  }

  // entries

  /** Visits one entry, given its kind and the offset of its content. */
  private interface Visitor {
    long visit(int kind, MemorySegment segment, long at);
  }

  private static long forEachEntry(MutationView view, Visitor visitor) {
    MemorySegment segment = view.segment();
    long at = view.entriesOffset();
    long end = at + view.entriesLength();
    long sum = 0;
    while (at < end) {
      int kind = Bytes.getByte(segment, at);
      sum += visitor.visit(kind, segment, at + 1);
      at =
          switch (kind) {
            case RowFormat.ENTRY_ROW -> afterSlice(segment, afterSlice(segment, at + 1));
            case RowFormat.ENTRY_PARTITION_DELETION -> at + 1 + 12;
            default -> afterSlice(segment, afterSlice(segment, at + 1)) + 12;
          };
    }
    return sum;
  }

  private static long afterSlice(MemorySegment segment, long at) {
    return Bytes.varintEnd(segment, at) + Bytes.getVarint(segment, at);
  }

  private void wrapRow(MemorySegment segment, long at) {
    long rowAt = afterSlice(segment, at);
    row.wrap(segment, Bytes.varintEnd(segment, rowAt), Bytes.getVarint(segment, rowAt));
  }

  private static boolean isStatic(MemorySegment segment, long at) {
    return Bytes.getByte(segment, Bytes.varintEnd(segment, at)) == KeyFormat.SECTION_STATIC;
  }

  // the header

  private long gather(int kind, MemorySegment segment, long at) {
    if (kind != RowFormat.ENTRY_ROW) {
      boolean partition = kind == RowFormat.ENTRY_PARTITION_DELETION;
      long deletionAt = partition ? at : afterSlice(segment, afterSlice(segment, at));
      note(Bytes.getLong(segment, deletionAt), seconds(segment, deletionAt), 0);
      return 0;
    }
    wrapRow(segment, at);
    boolean ofStatics = isStatic(segment, at);
    rowCount += ofStatics ? 0 : 1;
    if (row.hasLiveness()) {
      note(row.timestamp(), row.expirySeconds(), row.ttl());
    }
    if (row.hasDeletion()) {
      note(row.deletionTimestamp(), row.deletionSeconds(), 0);
    }
    while (row.nextCell()) {
      ColumnSchema column = cellColumn();
      if (column != null) {
        (ofStatics ? statics : regulars).put(column.id(), column);
        note(row.cellTimestamp(), row.cellSeconds(), row.cellTtl());
      }
    }
    return 0;
  }

  /** The column of the current cell; null if the cell is the stored wire value of a key column. */
  private @Nullable ColumnSchema cellColumn() {
    return (row.cellFlags() & RowFormat.CELL_KEY_FORM) != 0 ? null : columns.get(row.column());
  }

  private void note(long timestamp, long seconds, int ttl) {
    smallestTimestamp = Math.min(smallestTimestamp, timestamp);
    if (seconds != 0) {
      smallestSeconds = Math.min(smallestSeconds, seconds);
    }
    if (ttl != 0) {
      smallestTtl = Math.min(smallestTtl, ttl);
    }
  }

  // entries, encoded as differences to the header

  private long entryBytes(int kind, MemorySegment segment, long at) {
    if (kind == RowFormat.ENTRY_PARTITION_DELETION) {
      return deletionBytes(Bytes.getLong(segment, at), seconds(segment, at));
    }
    if (kind == RowFormat.ENTRY_RANGE_DELETION) {
      long upper = afterSlice(segment, at);
      long deletion = afterSlice(segment, upper);
      long time = deletionBytes(Bytes.getLong(segment, deletion), seconds(segment, deletion));
      return 2 * (MARKER_BYTES + time)
          + clusteringBytes(segment, at)
          + clusteringBytes(segment, upper);
    }
    wrapRow(segment, at);
    return isStatic(segment, at)
        ? 2 + bodyBytes(staticOrder)
        : 1 + rowClusteringBytes(segment, at) + bodyBytes(regularOrder);
  }

  private static long seconds(MemorySegment segment, long deletionAt) {
    return Bytes.getInt(segment, deletionAt + 8) & 0xFFFFFFFFL;
  }

  private long deletionBytes(long timestamp, long seconds) {
    return varintBytes(timestamp - smallestTimestamp) + varintBytes(seconds - smallestSeconds);
  }

  /** The size of a row's clustering values as sent by the client. */
  private long rowClusteringBytes(MemorySegment segment, long at) {
    long bytes = clusteringBytes(segment, at);
    long key = Bytes.varintEnd(segment, at) + 1;
    while (row.nextCell()) {
      ColumnSchema column = columns.get(row.column());
      if (cellColumn() == null && column != null) {
        long canonical =
            valueBytes(column.type(), componentLength(segment, key, column.position()));
        bytes += valueBytes(column.type(), row.valueLength()) - canonical;
      }
    }
    row.rewind();
    return bytes;
  }

  private int componentLength(MemorySegment segment, long key, int position) {
    long at = key;
    for (int i = 0; i < position; i++) {
      at = keys.clusteringEncoding(i).skip(segment, at, keys.isDescending(i));
    }
    long end =
        keys.clusteringEncoding(position)
            .read(segment, at, keys.isDescending(position), decoded.clear());
    assert end > at;
    return decoded.size();
  }

  private long clusteringBytes(MemorySegment segment, long suffixAt) {
    long at = Bytes.varintEnd(segment, suffixAt);
    long end = at + Bytes.getVarint(segment, suffixAt) - 1;
    at++;
    long bytes = 0;
    long header = 0;
    for (int i = 0; at < end; i++) {
      if (i % CLUSTERING_GROUP == 0 && i > 0) {
        bytes += varintBytes(header);
        header = 0;
      }
      at = keys.clusteringEncoding(i).read(segment, at, keys.isDescending(i), decoded.clear());
      bytes += valueBytes(clustering.get(i).type(), decoded.size());
      header |= decoded.size() == 0 ? 1L << 2 * (i % CLUSTERING_GROUP) : 0;
    }
    return bytes + (at > Bytes.varintEnd(segment, suffixAt) + 1 ? varintBytes(header) : 0);
  }

  private long bodyBytes(List<ColumnSchema> superset) {
    long bytes = 0;
    if (row.hasLiveness()) {
      bytes += varintBytes(row.timestamp() - smallestTimestamp);
      bytes += row.isExpiring() ? expiryBytes(row.ttl(), row.expirySeconds()) : 0;
    }
    if (row.hasDeletion()) {
      bytes += deletionBytes(row.deletionTimestamp(), row.deletionSeconds());
    }
    BitSet present = new BitSet();
    while (row.nextCell()) {
      if (cellColumn() != null) {
        present.set(row.column());
        bytes += cellBytes();
      }
    }
    return bytes + subsetBytes(superset, present);
  }

  private long expiryBytes(int ttl, long seconds) {
    return varintBytes(ttl - (long) smallestTtl) + varintBytes(seconds - smallestSeconds);
  }

  private long cellBytes() {
    boolean ofRow = row.hasLiveness() && row.cellTimestamp() == row.timestamp();
    long bytes = 1 + (ofRow ? 0L : varintBytes(row.cellTimestamp() - smallestTimestamp));
    if (row.cellIsExpiring()) {
      boolean expiresWithRow =
          row.hasLiveness()
              && row.isExpiring()
              && row.cellTtl() == row.ttl()
              && row.cellSeconds() == row.expirySeconds();
      bytes += expiresWithRow ? 0 : expiryBytes(row.cellTtl(), row.cellSeconds());
    } else if (row.valueLength() < 0) {
      bytes += varintBytes(row.cellSeconds() - smallestSeconds);
    }
    bytes += row.pathLength() < 0 ? 0 : withLength(row.pathLength());
    ColumnSchema column = cellColumn();
    if (row.valueLength() > 0 && column != null) {
      bytes += valueBytes(column.type(), row.valueLength());
    }
    return bytes;
  }

  private static long valueBytes(CqlType type, int length) {
    return length == 0 || type.fixedBytes() >= 0 ? length : withLength(length);
  }

  /**
   * The size of a row's column subset: 0 if it has all columns, otherwise a bitmap of the missing
   * ones.
   */
  private static long subsetBytes(List<ColumnSchema> superset, BitSet present) {
    if (present.cardinality() == superset.size()) {
      return 0;
    }
    if (superset.size() >= BITMAP_LIMIT) {
      return largeSubsetBytes(superset, present);
    }
    long missing = 0;
    for (int i = 0; i < superset.size(); i++) {
      missing |= present.get(superset.get(i).id()) ? 0 : 1L << i;
    }
    return varintBytes(missing);
  }

  private static long largeSubsetBytes(List<ColumnSchema> superset, BitSet present) {
    boolean listPresent = present.cardinality() < superset.size() / 2;
    long bytes = varintBytes(superset.size() - (long) present.cardinality());
    for (int i = 0; i < superset.size(); i++) {
      bytes += present.get(superset.get(i).id()) == listPresent ? varintBytes(i) : 0;
    }
    return bytes;
  }
}
