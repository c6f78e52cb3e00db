package io.helenus.server.system;

import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.VectorSearchCounts;
import java.util.List;

/**
 * What the storage-attached indexes of a table are, or of several. Immutable.
 *
 * @param indexes how many there are
 * @param built how many of them cover all rows
 * @param files the number of their files
 * @param bytes the size of these
 * @param searches the searches of those on vectors
 */
public record IndexSums(
    int indexes, int built, int files, long bytes, VectorSearchCounts searches) {
  /** Of tables without such indexes. */
  public static final IndexSums NONE = new IndexSums(0, 0, 0, 0, VectorSearchCounts.NONE);

  /** Those of a table. */
  public static IndexSums of(TableSchema table, NodeFacts facts) {
    if (table.indexes().isEmpty()) {
      return NONE;
    }
    IndexSums sums = new IndexSums(0, 0, 0, 0, facts.vectorSearches(table.storageId()));
    List<IndexFile> files = facts.indexFiles(table.storageId());
    for (IndexSchema index : table.indexes()) {
      if (index.kind() == IndexSchema.Kind.SAI) {
        sums = sums.plus(of(table, index, files, facts));
      }
    }
    return sums;
  }

  private static IndexSums of(
      TableSchema table, IndexSchema index, List<IndexFile> files, NodeFacts facts) {
    boolean built = !table.isStored(index) || facts.isIndexBuilt(table.storageId(), index.id());
    int count = 0;
    long bytes = 0;
    for (IndexFile file : files) {
      if (file.indexId() == index.id()) {
        count++;
        bytes += file.sizeBytes();
      }
    }
    return new IndexSums(1, built ? 1 : 0, count, bytes, VectorSearchCounts.NONE);
  }

  /** The sum. */
  public IndexSums plus(IndexSums other) {
    return new IndexSums(
        indexes + other.indexes,
        built + other.built,
        files + other.files,
        bytes + other.bytes,
        searches.plus(other.searches));
  }
}
