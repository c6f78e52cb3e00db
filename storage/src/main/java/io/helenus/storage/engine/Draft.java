package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/**
 * Mutations of one table of a shard that have been computed but not written yet. Only reads of the
 * draft see them, merged with the table's data by the usual reconciliation. Nothing is logged; a
 * draft takes memory until it is closed. Shard thread only.
 */
public interface Draft extends AutoCloseable {
  /** Adds the entries of a mutation (storage/docs/rows.md); the bytes are copied. */
  void add(MemorySegment mutation, long offset, int length);

  /**
   * Opens a cursor that sees the table and the draft as they are now until the caller closes it.
   */
  ReadCursor read(ReadRequest request);

  /** Frees the memory as soon as no cursor reads it. */
  @Override
  void close();
}
