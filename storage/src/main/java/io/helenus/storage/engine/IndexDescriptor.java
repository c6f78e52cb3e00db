package io.helenus.storage.engine;

import org.jspecify.annotations.Nullable;

/**
 * What storage needs to know of an index: where its terms come from. Immutable; any thread.
 *
 * @param id assigned by the metadata log, unique in the table and never reused in it
 * @param source what is indexed
 * @param columnId the column whose cells are indexed; 0 for keys
 * @param terms computes the terms; two descriptors with the same id compute the same
 */
public record IndexDescriptor(int id, Source source, int columnId, IndexTerms terms) {
  /** What is indexed. */
  public enum Source {
    /** The cells of a column of rows; a term finds the row. */
    CELLS,
    /** The cells of a static column; a term finds the partition. */
    STATIC_CELLS,
    /** The keys of rows; a term finds the row. */
    ROW_KEYS,
    /** The keys of partitions; a term finds the partition. */
    PARTITION_KEYS
  }

  /** Validates. */
  public IndexDescriptor {
    if (id <= 0) {
      throw new IllegalArgumentException("invalid index id: " + id);
    }
  }

  /** Whether it is the same index; terms are a function of the rest. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexDescriptor(int otherId, Source otherSource, int otherColumn, _)
        && id == otherId
        && source == otherSource
        && columnId == otherColumn;
  }

  @Override
  public int hashCode() {
    return id;
  }
}
