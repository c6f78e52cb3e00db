package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.run.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of one index for one SSTable (storage/docs/index.md), while it is written. One
 * background thread at a time.
 */
interface IndexOutput {
  /**
   * The outputs of several indexes for one SSTable, which share the memory for sorting.
   *
   * @param graphs whether graphs of vectors are built
   */
  static List<IndexOutput> of(
      JobContext context,
      TableDescriptor table,
      long number,
      List<IndexDescriptor> indexes,
      boolean graphs) {
    if (indexes.isEmpty()) {
      return List.of();
    }
    long bytes = sortedBytes(context, indexes.size());
    List<IndexOutput> outputs = new ArrayList<>(indexes.size());
    for (IndexDescriptor index : indexes) {
      outputs.add(
          index.source() == Source.VECTORS
              ? new VectorIndexOutput(context, table, index, number, graphs)
              : new TermIndexOutput(context, table, index, number, bytes));
    }
    return outputs;
  }

  /** The memory in which the entries of one of several indexes are sorted. */
  static long sortedBytes(JobContext context, int indexes) {
    long share = context.memory().share(Use.COMPACTION).limitBytes() / 8 / indexes;
    return Math.clamp(share, 64 << 10, 8 << 20);
  }

  /** The index. */
  int indexId();

  /** Adds what the index has of an entry of the SSTable. */
  void add(Entry entry) throws IOException;

  /**
   * Does a part of what takes long once all entries have been added; false if nothing is left of
   * it. What is not done has no effect on the results of reads.
   */
  default boolean prepare() throws IOException {
    return false;
  }

  /** Writes the file and syncs it, but not its folder. */
  void finish() throws IOException;

  /** Opens the finished file. */
  OpenIndex open() throws IOException;

  /** Closes the finished file and keeps it. */
  void close() throws IOException;

  /** Deletes the file, which is not open. */
  void discard() throws IOException;
}
