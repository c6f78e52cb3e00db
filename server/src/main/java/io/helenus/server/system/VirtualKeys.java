package io.helenus.server.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes the keys of one virtual table like storage (storage/docs/rows.md) and determines which of
 * them a read selects. One thread.
 */
final class VirtualKeys {
  private final TableSchema table;
  private final boolean singlePartition;
  private final boolean reversed;
  private final KeyRange partitions;
  private final List<KeyRange> rows;
  private final ByteWriter in = new ByteWriter(64);
  private final ByteWriter out = new ByteWriter(128);
  private int encoded;

  VirtualKeys(TableSchema table, ReadRequest request) {
    this.table = table;
    this.singlePartition = request.keys().isPartition();
    this.reversed = request.keys().isReversed();
    this.partitions = partitions(request);
    this.rows = rows(request);
  }

  private static KeyRange partitions(ReadRequest request) {
    MemorySegment bytes = request.segment();
    int lower = request.keys().lowerLength();
    int upper = request.keys().isPartition() ? 0 : request.keys().upperLength();
    return new KeyRange(
        Bytes.toArray(bytes, 0, lower),
        Bytes.toArray(bytes, lower, upper),
        request.keys().isPartition());
  }

  private static List<KeyRange> rows(ReadRequest request) {
    if (!request.keys().areRowsWanted()) {
      return List.of();
    }
    if (request.keys().sliceCount() == 0) {
      return List.of(KeyRange.ALL);
    }
    List<KeyRange> slices = new ArrayList<>(request.keys().sliceCount());
    for (int i = 0; i < request.keys().sliceCount(); i++) {
      int offset = request.keys().sliceOffset(i);
      int lower = request.keys().sliceLowerLength(i);
      int upper = request.keys().sliceUpperLength(i);
      slices.add(
          new KeyRange(
              Bytes.toArray(request.segment(), offset, lower),
              Bytes.toArray(request.segment(), offset + lower, upper),
              upper == 0));
    }
    return slices;
  }

  /** The number of keys and partial keys encoded so far. */
  int encoded() {
    return encoded;
  }

  /** Whether rows come in descending clustering order. */
  boolean isReversed() {
    return reversed;
  }

  /** Whether one partition is read. */
  boolean isSinglePartition() {
    return singlePartition;
  }

  /** The key prefixes of the partitions to read. */
  KeyRange partitions() {
    return partitions;
  }

  /** The key suffixes of the rows to read: ascending, disjoint. */
  List<KeyRange> rows() {
    return rows;
  }

  /** Whether a row with this suffix is read. */
  boolean containsRow(byte[] suffix) {
    for (KeyRange range : rows) {
      if (range.contains(suffix)) {
        return true;
      }
    }
    return false;
  }

  /** The first component, a text, of the key of the single partition that is read. */
  String firstTextOfPartition() {
    in.clear().putBytes(partitions.lower());
    out.clear();
    if (table.partitioner() == Partitioner.MURMUR3) {
      KeyFormat.readPartitionKey(in.segment(), 0, out);
    } else {
      ScalarKeyEncoding.BYTES.read(in.segment(), 0, false, out);
    }
    return new String(out.toArray(), UTF_8);
  }

  /** The prefix of a partition's keys, from the wire bytes of its key columns. */
  byte[] partition(List<byte[]> key) {
    out.clear();
    if (table.partitioner() == Partitioner.MURMUR3) {
      byte[] whole = PartitionKeys.of(key);
      in.clear().putBytes(whole);
      KeyFormat.putPartition(Murmur3.token(whole), in.segment(), 0, whole.length, out);
    } else {
      for (int i = 0; i < key.size(); i++) {
        putComponent(table.partitionKey().get(i), key.get(i));
      }
    }
    return encodedBytes();
  }

  /** The suffix of a row's key, from the wire bytes of its clustering columns. */
  byte[] row(List<byte[]> clustering) {
    out.clear().putByte(KeyFormat.SECTION_ROWS);
    for (int i = 0; i < clustering.size(); i++) {
      putComponent(table.clusteringColumns().get(i), clustering.get(i));
    }
    out.putByte(KeyFormat.TAG_END);
    return encodedBytes();
  }

  private void putComponent(ColumnSchema column, byte[] value) {
    KeyEncoding encoding = column.type().keyEncoding();
    if (encoding == null) {
      throw new IllegalStateException("unsupported key type of a virtual table: " + column.type());
    }
    in.clear().putBytes(value);
    encoding.write(in.segment(), 0, value.length, column.descending(), out);
  }

  /**
   * The common start of the partition prefixes, without token, whose first component is this text.
   */
  byte[] byValue(String text) {
    out.clear();
    putText(text);
    return encodedBytes();
  }

  /** The common start of the row suffixes whose first component is this text. */
  byte[] rowsOf(String text) {
    out.clear().putByte(KeyFormat.SECTION_ROWS);
    putText(text);
    return encodedBytes();
  }

  /** Appends a second component to the result of {@link #byValue(String)}. */
  byte[] byValue(byte[] first, String text) {
    out.clear().putBytes(first);
    putText(text);
    return encodedBytes();
  }

  private byte[] encodedBytes() {
    encoded++;
    return out.toArray();
  }

  private void putText(String text) {
    byte[] value = WireValues.ofText(text);
    in.clear().putBytes(value);
    ScalarKeyEncoding.BYTES.write(in.segment(), 0, value.length, false, out);
  }
}
