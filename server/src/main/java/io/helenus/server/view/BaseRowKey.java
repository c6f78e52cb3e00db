package io.helenus.server.view;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The key of the row of a base table that a row of a view shows, made from the key of that row. One
 * thread at a time; reusable.
 */
final class BaseRowKey {
  private final int partitionCount;
  private final KeyEncoding[] encodings;
  private final boolean[] descending;
  private final int[] partitionSources;
  private final int[] clusteringSources;
  private final KeyEncoding[] viewEncodings;
  private final boolean[] viewDescending;
  private final ByteWriter values = new ByteWriter(256);
  private final ByteWriter composite = new ByteWriter(128);
  private final ByteWriter prefix = new ByteWriter(128);
  private final ByteWriter clustering = new ByteWriter(128);
  private final int[] offsets;
  private final int[] lengths;
  private long token;

  BaseRowKey(TableSchema base, TableSchema view, ViewPlan plan) {
    partitionCount = base.partitionKey().size();
    encodings = encodings(base.clusteringColumns());
    descending = descending(base.clusteringColumns());
    viewEncodings = encodings(view.clusteringColumns());
    viewDescending = descending(view.clusteringColumns());
    partitionSources = plan.partitionSources();
    clusteringSources = plan.clusteringSources();
    // one more for the column that is not in the key of the base table
    offsets = new int[partitionCount + encodings.length + 1];
    lengths = new int[offsets.length];
  }

  private static KeyEncoding[] encodings(List<ColumnSchema> columns) {
    return columns.stream().map(BaseKey::encoding).toArray(KeyEncoding[]::new);
  }

  private static boolean[] descending(List<ColumnSchema> columns) {
    boolean[] descending = new boolean[columns.size()];
    for (int i = 0; i < descending.length; i++) {
      descending[i] = columns.get(i).descending();
    }
    return descending;
  }

  /**
   * Takes a row of the view by its key.
   *
   * @param viewClustering the clustering part of the key, without the section
   */
  void of(
      MemorySegment viewPrefix,
      long prefixOffset,
      MemorySegment viewClustering,
      long clusteringOffset) {
    values.clear();
    long ignored = KeyFormat.readPartitionKey(viewPrefix, prefixOffset, values);
    int end = values.size();
    int component = 0;
    for (int source : partitionSources) {
      if (partitionSources.length == 1) {
        offsets[source] = 0;
        lengths[source] = end;
      } else {
        offsets[source] = component + 2;
        lengths[source] = PartitionKeys.componentLength(values.segment(), component);
        component = (int) PartitionKeys.nextComponent(values.segment(), component);
      }
    }
    long at = clusteringOffset;
    for (int i = 0; i < viewEncodings.length; i++) {
      int source = clusteringSources[i];
      offsets[source] = values.size();
      at = viewEncodings[i].read(viewClustering, at, viewDescending[i], values);
      lengths[source] = values.size() - offsets[source];
    }
    write();
  }

  private void write() {
    composite.clear();
    for (int i = 0; i < partitionCount; i++) {
      if (partitionCount == 1) {
        composite.putBytes(values.segment(), offsets[i], lengths[i]);
      } else {
        PartitionKeys.putComponent(values.segment(), offsets[i], lengths[i], composite);
      }
    }
    token = Murmur3.token(composite.segment(), 0, composite.size());
    prefix.clear();
    KeyFormat.putPartition(token, composite.segment(), 0, composite.size(), prefix);
    clustering.clear();
    for (int i = 0; i < encodings.length; i++) {
      int source = partitionCount + i;
      encodings[i].write(
          values.segment(), offsets[source], lengths[source], descending[i], clustering);
    }
    clustering.putByte(KeyFormat.TAG_END);
  }

  /** The token of the base row's partition. */
  long token() {
    return token;
  }

  /** The key prefix of its partition. */
  ByteWriter prefix() {
    return prefix;
  }

  /** The clustering part of its key, without the section. */
  ByteWriter clustering() {
    return clustering;
  }
}
