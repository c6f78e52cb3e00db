package io.helenus.server.schema;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.TableDescriptor.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The storage settings that follow from a table's options. Stateless. */
final class TableStorageOptions {
  private static final int MIN_THRESHOLD = 4;
  private static final int MAX_THRESHOLD = 32;

  private TableStorageOptions() {}

  static TableDescriptor descriptor(TableSchema table, List<TableDescriptor.Column> cells) {
    TableOptions options = table.options();
    SortedMap<String, String> compaction = options.compaction();
    boolean compacts = !"false".equalsIgnoreCase(compaction.get("enabled"));
    return new TableDescriptor(
        table.storageId(),
        cells,
        options.gcGraceSeconds(),
        isCompressed(options.compression()) ? Compression.LZ4 : Compression.NONE,
        compacts ? number(compaction, "min_threshold", MIN_THRESHOLD) : 0,
        compacts ? number(compaction, "max_threshold", MAX_THRESHOLD) : 0,
        options.bloomFilterFalsePositiveChance(),
        indexes(table),
        table.view() != null && table.view().keyColumn() != null);
  }

  private static List<IndexDescriptor> indexes(TableSchema table) {
    if (table.indexes().isEmpty()) {
      return List.of();
    }
    List<IndexDescriptor> indexes = new ArrayList<>();
    for (IndexSchema index : table.indexes()) {
      if (table.isStored(index)) {
        indexes.add(IndexTermFunctions.descriptor(table, table.columnOf(index), index));
      }
    }
    return indexes;
  }

  static boolean isCompressed(SortedMap<String, String> compression) {
    return !"false".equalsIgnoreCase(compression.get("enabled"));
  }

  private static int number(SortedMap<String, String> map, String key, int fallback) {
    String value = map.get(key);
    return value == null ? fallback : Integer.parseInt(value);
  }
}
