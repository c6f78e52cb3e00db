package io.helenus.storage.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What storage needs to know of an index: where its terms come from. Immutable; any thread.
 *
 * @param id assigned by the metadata log, unique in the table and never reused in it
 * @param source what is indexed
 * @param columnId the column whose cells are indexed; 0 for keys
 * @param terms computes the terms; two descriptors with the same id compute the same
 * @param vectors how vectors are compared; null unless the source is VECTORS
 */
public record IndexDescriptor(
    int id, Source source, int columnId, IndexTerms terms, @Nullable VectorOptions vectors) {
  /** What is indexed. */
  public enum Source {
    /** The cells of a column of rows; a term finds the row. */
    CELLS,
    /** The cells of a static column; a term finds the partition. */
    STATIC_CELLS,
    /** The keys of rows; a term finds the row. */
    ROW_KEYS,
    /** The keys of partitions; a term finds the partition. */
    PARTITION_KEYS,
    /** The vectors in a column of rows, which have no terms: their nearest neighbours are found. */
    VECTORS
  }

  /** How similar two vectors are, from 0 to 1 as CQL's functions of these names say. */
  public enum Similarity {
    /** By the angle between them. */
    COSINE,
    /** By the distance between them. */
    EUCLIDEAN,
    /** By their dot product; both have length 1. */
    DOT_PRODUCT
  }

  /**
   * How vectors are compared and their graphs are built.
   *
   * @param dimension the number of their floats, each 4 bytes, big endian
   * @param nodeConnections the largest number of neighbours of a node of a graph
   * @param beamWidth how many candidates for neighbours are kept while a node is added
   */
  public record VectorOptions(
      int dimension, Similarity similarity, int nodeConnections, int beamWidth) {}

  /** Validates. */
  public IndexDescriptor {
    if (id <= 0) {
      throw new IllegalArgumentException("invalid index id: " + id);
    }
    if ((source == Source.VECTORS) != (vectors != null)) {
      throw new IllegalArgumentException("options of vectors belong to an index of vectors");
    }
  }

  /** An index with terms. */
  public IndexDescriptor(int id, Source source, int columnId, IndexTerms terms) {
    this(id, source, columnId, terms, null);
  }

  /** Whether it is the same index; terms are a function of the rest. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other
            instanceof
            IndexDescriptor(int otherId, Source otherSource, int otherColumn, _, var otherVectors)
        && id == otherId
        && source == otherSource
        && columnId == otherColumn
        && Objects.equals(vectors, otherVectors);
  }

  @Override
  public int hashCode() {
    return id;
  }
}
