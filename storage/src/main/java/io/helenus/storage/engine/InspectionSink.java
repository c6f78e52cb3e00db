package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/**
 * Receives the contents of one file in the order in which they are read. Slices are valid only
 * during the call. One thread.
 */
public interface InspectionSink {
  /** A part described by named values, such as a header, a section or an edit. */
  void part(String kind, Fields fields);

  /**
   * An entry of an SSTable.
   *
   * @param prefixLength the number of leading bytes of the key that identify the partition
   * @return false to stop reading
   */
  boolean entry(MemorySegment key, int prefixLength, MemorySegment value);

  /**
   * A record of a commit log segment.
   *
   * @param offset of the record in the file
   * @param mutation the encoded mutation, see {@link io.helenus.storage.row.MutationView}
   */
  void record(long offset, MemorySegment mutation);
}
