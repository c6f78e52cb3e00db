package io.helenus.storage.engine;

import java.lang.foreign.MemorySegment;

/**
 * Receives the contents of one file in the order they are read. Slices are valid during the call
 * only. One thread.
 */
public interface InspectionSink {
  /** A part that describes itself, such as a header, a section or an edit. */
  void part(String kind, Fields fields);

  /**
   * An entry of an SSTable.
   *
   * @param prefixLength how many leading bytes of the key name the partition
   * @return false to stop reading
   */
  boolean entry(MemorySegment key, int prefixLength, MemorySegment value);

  /**
   * A record of a commit log segment.
   *
   * @param offset of the record in the file
   * @param mutation as {@link io.helenus.storage.row.MutationView} reads it
   */
  void record(long offset, MemorySegment mutation);
}
