package io.helenus.server.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The result of PREPARE. Immutable; the arrays must not be modified.
 *
 * @param id the prepared statement's id
 * @param resultMetadataId the id of the result metadata (v5)
 * @param markers the bind markers as columns
 * @param partitionKeyIndexes the index of the marker bound to each partition key column, in key
 *     order; empty unless all of them are bound
 * @param resultColumns the columns of a SELECT; null for other statements
 */
public record PreparedMetadata(
    byte[] id,
    byte[] resultMetadataId,
    ResultColumns markers,
    int[] partitionKeyIndexes,
    @Nullable ResultColumns resultColumns) {
  /** Derives the result metadata id from the columns. */
  public PreparedMetadata(
      byte[] id,
      ResultColumns markers,
      int[] partitionKeyIndexes,
      @Nullable ResultColumns resultColumns) {
    this(
        id,
        resultColumns == null ? ResultColumns.idOfNone() : resultColumns.id(),
        markers,
        partitionKeyIndexes,
        resultColumns);
  }
}
