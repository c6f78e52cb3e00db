package io.helenus.server.view;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * The values of which the keys of views are made, in wire bytes: the columns of a base row's
 * primary key, and one value of another column. One thread at a time; reusable.
 */
final class BaseKey {
  private final int partitionCount;
  private final KeyEncoding[] encodings;
  private final boolean[] descending;
  private final ByteWriter bytes = new ByteWriter(256);
  private final int[] offsets;
  private final int[] lengths;
  private int partitionEnd;
  private int rowEnd;

  BaseKey(TableSchema base) {
    List<ColumnSchema> clustering = base.clusteringColumns();
    partitionCount = base.partitionKey().size();
    encodings = new KeyEncoding[clustering.size()];
    descending = new boolean[clustering.size()];
    for (int i = 0; i < encodings.length; i++) {
      encodings[i] = encoding(clustering.get(i));
      descending[i] = clustering.get(i).descending();
    }
    offsets = new int[partitionCount + encodings.length + 1];
    lengths = new int[offsets.length];
  }

  /** The encoding of a key column. */
  static KeyEncoding encoding(ColumnSchema column) {
    return Objects.requireNonNull(
        column.type().keyEncoding(), "column " + column.name() + " cannot be in a key");
  }

  /** The index of the value that is not in the primary key of the base table. */
  int own() {
    return offsets.length - 1;
  }

  /** Takes the partition key from a key prefix. */
  void partition(MemorySegment prefix, long offset) {
    bytes.clear();
    long ignored = KeyFormat.readPartitionKey(prefix, offset, bytes);
    partitionEnd = bytes.size();
    if (partitionCount == 1) {
      offsets[0] = 0;
      lengths[0] = partitionEnd;
      return;
    }
    int at = 0;
    for (int i = 0; i < partitionCount; i++) {
      offsets[i] = at + 2;
      lengths[i] = PartitionKeys.componentLength(bytes.segment(), at);
      at = (int) PartitionKeys.nextComponent(bytes.segment(), at);
    }
  }

  /** Takes the clustering columns from the clustering part of a key; forgets the other value. */
  void row(MemorySegment clustering, long offset) {
    bytes.truncate(partitionEnd);
    long at = offset;
    for (int i = 0; i < encodings.length; i++) {
      int index = partitionCount + i;
      boolean isNull = KeyEncoding.isNull(clustering, at);
      offsets[index] = bytes.size();
      at = isNull ? at + 1 : encodings[i].read(clustering, at, descending[i], bytes);
      lengths[index] = isNull ? -1 : bytes.size() - offsets[index];
    }
    rowEnd = bytes.size();
    lengths[own()] = -1;
  }

  /** Takes the value of another column. */
  void own(MemorySegment value, long offset, int length) {
    bytes.truncate(rowEnd).putBytes(value, offset, length);
    offsets[own()] = rowEnd;
    lengths[own()] = length;
  }

  /** The memory of all values. */
  MemorySegment segment() {
    return bytes.segment();
  }

  /** Where a value starts. */
  int offset(int index) {
    return offsets[index];
  }

  /** The length of a value; negative for null. */
  int length(int index) {
    return lengths[index];
  }
}
