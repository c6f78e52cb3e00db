package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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

  /**
   * The same for a request of single rows of a partition, each of which is passed to {@code before}
   * as it is in the table, and then to the sink of the read as it is with the draft. If {@code
   * before} stops the read, it ends with that row. Null if the table has multi-cell columns: then
   * both have to be read one after the other.
   */
  @Nullable ReadCursor readBoth(ReadRequest request, RowSink before);

  /** Frees the memory as soon as no cursor reads it. */
  @Override
  void close();
}
