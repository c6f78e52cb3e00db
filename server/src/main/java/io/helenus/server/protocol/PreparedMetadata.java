package io.helenus.server.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What PREPARE answers. Immutable; the arrays must not be changed.
 *
 * @param id the prepared statement's id
 * @param resultMetadataId the id of the result's columns, sent in v5
 * @param markers the bind markers as columns
 * @param partitionKeyIndexes for each part of the partition key the marker that binds it, in key
 *     order; empty when not all are bound
 * @param resultColumns the columns of a SELECT, null for other statements
 */
public record PreparedMetadata(
    byte[] id,
    byte[] resultMetadataId,
    ResultColumns markers,
    int[] partitionKeyIndexes,
    @Nullable ResultColumns resultColumns) {
  /** With the id that follows from the result's columns. */
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
