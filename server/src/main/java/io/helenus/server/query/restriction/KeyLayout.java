package io.helenus.server.query.restriction;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarKeyEncoding;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** How the keys of a table are encoded, in arrays for the hot path. Immutable; any thread. */
public final class KeyLayout {
  private final boolean local;
  private final PartitionKeyTypes partitionTypes;
  private final String[] partitionNames;
  private final KeyEncoding[] partitionEncodings;
  private final String[] clusteringNames;
  private final KeyEncoding[] clusteringEncodings;
  private final boolean[] descending;
  private final boolean hiddenComponent;

  /** Creates the layout of the keys of a table that is not a view. */
  public KeyLayout(TableSchema table) {
    this(table, PartitionKeyTypes.NONE);
  }

  /** Creates the layout of the keys of a table, which may be a view. */
  public KeyLayout(TableSchema table, PartitionKeyTypes partitionTypes) {
    this.partitionTypes = partitionTypes;
    local = table.partitioner() == Partitioner.LOCAL;
    partitionNames = names(table.partitionKey());
    partitionEncodings = local ? encodings(table.partitionKey(), table) : new KeyEncoding[0];
    clusteringNames = names(table.clusteringColumns());
    clusteringEncodings = encodings(table.clusteringColumns(), table);
    hiddenComponent = table.view() != null && table.view().keyColumn() != null;
    descending = new boolean[clusteringEncodings.length];
    for (int i = 0; i < descending.length; i++) {
      descending[i] = table.clusteringColumns().get(i).descending();
    }
  }

  private static String[] names(List<ColumnSchema> columns) {
    String[] names = new String[columns.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = columns.get(i).name();
    }
    return names;
  }

  private static KeyEncoding[] encodings(List<ColumnSchema> columns, TableSchema table) {
    KeyEncoding[] encodings = new KeyEncoding[columns.size()];
    for (int i = 0; i < encodings.length; i++) {
      KeyEncoding encoding = columns.get(i).type().keyEncoding();
      if (encoding == null && table.isVirtual()) {
        // system_schema.functions and aggregates, which are always empty
        encoding = ScalarKeyEncoding.BYTES;
      }
      if (encoding == null) {
        throw new IllegalStateException("no keys of type " + columns.get(i).type().toCql());
      }
      encodings[i] = encoding;
    }
    return encodings;
  }

  /** Whether the table has the local partitioner: key prefixes hold values and no token. */
  public boolean isLocal() {
    return local;
  }

  /** Which partition key columns have canonical values; none in a table that is not a view. */
  public PartitionKeyTypes partitionTypes() {
    return partitionTypes;
  }

  /** The number of partition key columns. */
  public int partitionCount() {
    return partitionNames.length;
  }

  /** The name of a partition key column. */
  String partitionName(int position) {
    return partitionNames[position];
  }

  /** The encoding of a partition key column; for local tables only. */
  public KeyEncoding partitionEncoding(int position) {
    return partitionEncodings[position];
  }

  /** The number of clustering columns. */
  public int clusteringCount() {
    return clusteringNames.length;
  }

  /**
   * Whether keys of rows have a component after those of the clustering columns, so that these
   * select a range of keys, of which at most one is that of a row that exists (docs/views.md).
   */
  public boolean hasHiddenComponent() {
    return hiddenComponent;
  }

  /** The name of a clustering column. */
  String clusteringName(int position) {
    return clusteringNames[position];
  }

  /** The encoding of a clustering column. */
  public KeyEncoding clusteringEncoding(int position) {
    return clusteringEncodings[position];
  }

  /** Whether the component of a clustering column at an offset of a key is the empty value. */
  public boolean isEmptyClustering(int position, MemorySegment key, long offset) {
    return clusteringEncodings[position].isEmpty(key, offset, descending[position]);
  }

  /** Whether a clustering column is declared DESC. */
  public boolean isDescending(int position) {
    return descending[position];
  }
}
