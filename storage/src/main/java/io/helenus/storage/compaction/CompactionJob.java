package io.helenus.storage.compaction;

import io.helenus.storage.bytes.BloomFilter;
import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.job.Activity;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.OpenIndex;
import io.helenus.storage.job.SstableOutput;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.SstableStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges files of one table of one shard into one file. It runs in slices, so that flushes on the
 * same threads do not have to wait for its end. One background thread at a time.
 *
 * <ol>
 *   <li>A slice merges a number of entries, then submits the job again; so do those that build the
 *       graphs of vectors.
 *   <li>At the end the output is made durable, and one edit of the manifest replaces the inputs
 *       with it, unless the table has been truncated or dropped since the start.
 *   <li>The listener is notified. The inputs are deleted when the last reader releases them.
 * </ol>
 */
final class CompactionJob {
  /** Receives the outcome, on the background thread. */
  interface Listener {
    /**
     * Called once at the end.
     *
     * @param replaced whether the inputs have been replaced; false after a failure, or if the table
     *     was truncated or dropped
     * @param made the output, or null if nothing was left to write or the inputs were not replaced
     */
    void onEnded(boolean replaced, @Nullable OpenFile made, @Nullable Exception failure);
  }

  private static final int SLICE_ENTRIES = 4_000;
  private static final int SMALL_BLOCK_BYTES = 16 << 10;

  /** Rows are hardly larger than the largest mutation; wide partitions have small rows. */
  private static final int LARGE_BLOCK_BYTES = 16 << 20;

  private static final int WRITER_BYTES = 512 << 10;

  private final JobContext context;
  private final TableDescriptor table;
  private final TableLifecycle lifecycle;
  private final int truncations;
  private final List<OpenFile> inputs;
  private final PurgeRules rules;
  private final Listener listener;
  private @Nullable DirectBlocks blocks;
  private @Nullable EntryMerge merge;
  private @Nullable SstableOutput output;
  private @Nullable OpenFile made;
  private Activity.@Nullable Running task;
  private boolean merged;
  private long inputEntries;
  private List<Long> mergedPartitions = List.of();

  CompactionJob(
      JobContext context,
      TableDescriptor table,
      TableLifecycle lifecycle,
      List<OpenFile> inputs,
      PurgeRules rules,
      Listener listener) {
    this.context = context;
    this.table = table;
    this.lifecycle = lifecycle;
    this.truncations = lifecycle.truncations();
    this.inputs = newestFirst(inputs);
    this.rules = rules;
    this.listener = listener;
  }

  /** The order in which merging them costs least. */
  private static List<OpenFile> newestFirst(List<OpenFile> inputs) {
    Comparator<OpenFile> byAge =
        Comparator.comparingLong(input -> input.sstable().statistics().largestTimestamp());
    return inputs.stream().sorted(byAge.reversed()).toList();
  }

  /**
   * The memory that a compaction of these files may need: a block of each, while the next one is
   * read, and what is written. Blocks are about as large as the largest row.
   */
  static long expectedMemory(JobContext context, List<OpenFile> inputs, TableDescriptor table) {
    long largest = 0;
    long bytes = WRITER_BYTES;
    long entries = 0;
    for (OpenFile input : inputs) {
      SstableStatistics statistics = input.sstable().statistics();
      long block =
          Math.clamp(statistics.largestPartitionBytes(), SMALL_BLOCK_BYTES, LARGE_BLOCK_BYTES);
      largest = Math.max(largest, block);
      bytes += block + 2L * SMALL_BLOCK_BYTES;
      entries += statistics.entries();
    }
    // one block more while a cursor moves; in the output one plain and one compressed
    return bytes
        + SstableOutput.indexMemory(context, table)
        + 3 * largest
        + BloomFilter.sizeBytes(2 * entries, table.bloomFalsePositiveChance());
  }

  void start() {
    long entries = 0;
    long bytes = 0;
    for (OpenFile input : inputs) {
      entries += input.sstable().statistics().entries();
      bytes += input.live().sizeBytes();
    }
    inputEntries = entries;
    task =
        context
            .activity()
            .begin(Kind.COMPACTION, table.id(), context.nowMicros(), bytes, entries, inputs.size());
    try {
      context.runInBackground(this::slice);
    } catch (Throwable e) {
      ended(false, context.contain(e));
    }
  }

  private void ended(boolean replaced, @Nullable Exception failure) {
    Activity.Running running = task;
    if (running != null) {
      if (replaced) {
        long bytesOut = made == null ? 0 : made.live().sizeBytes();
        context.activity().compacted(running, context.nowMicros(), bytesOut, mergedPartitions);
      }
      context.activity().end(running);
    }
    listener.onEnded(replaced, failure == null ? made : null, failure);
  }

  private void slice() {
    boolean replaced = false;
    try {
      if (admitted()) {
        if (work()) {
          context.runInBackground(this::slice);
          return;
        }
        replaced = finish();
      }
      if (!replaced) {
        abandon(null);
      }
    } catch (Throwable e) {
      Exception why = context.contain(e);
      abandonAfter(why);
      ended(false, why);
      return;
    }
    ended(replaced, null);
  }

  private void abandonAfter(Exception why) {
    try {
      abandon(why);
    } catch (Throwable e) {
      why.addSuppressed(context.contain(e));
    }
  }

  /** Works for a while; returns false if only the end is left. */
  private boolean work() throws IOException {
    if (!merged) {
      if (mergeSome()) {
        return true;
      }
      merged = true;
      closeInputs();
    }
    SstableOutput out = output;
    return out != null && out.prepare();
  }

  /** Merges a slice; returns false at the end. */
  private boolean mergeSome() throws IOException {
    EntryMerge running = merge;
    SstableOutput out = output;
    if (running == null || out == null) {
      out = new SstableOutput(context, table, inputEntries, new byte[0], haveGraphs());
      output = out;
      running = new EntryMerge(cursors(), table, rules, context.segments());
      merge = running;
    }
    for (int i = 0; i < SLICE_ENTRIES; i++) {
      if (!running.next()) {
        return false;
      }
      out.add(running);
    }
    if (task != null) {
      task.passed(running.inputEntries());
    }
    return true;
  }

  /**
   * Whether most of the vectors have graphs, so that searches would get slower without any in the
   * result. Otherwise they get faster as soon as the vectors are in one file.
   */
  private boolean haveGraphs() {
    long with = 0;
    long without = 0;
    for (OpenFile input : inputs) {
      for (OpenIndex index : input.indexes()) {
        if (index.hasGraphs()) {
          with += index.size();
        } else if (index.vectors() != null) {
          without += index.size();
        }
      }
    }
    return with >= without;
  }

  private List<EntryCursor> cursors() {
    DirectBlocks direct = context.blocks();
    blocks = direct;
    List<EntryCursor> cursors = new ArrayList<>();
    for (OpenFile input : inputs) {
      cursors.add(input.sstable().cursor(direct));
    }
    return cursors;
  }

  /** Replaces the inputs with the output; false if the table was truncated or dropped. */
  private boolean finish() throws IOException {
    closeInputs();
    SstableOutput out = output;
    if (out == null) {
      throw new IllegalStateException("compaction has no output");
    }
    List<Change> changes = new ArrayList<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (OpenFile input : inputs) {
      changes.add(new Change.FileRemoved(input.live().number()));
      first = Math.min(first, input.live().firstToken());
      last = Math.max(last, input.live().lastToken());
    }
    OpenFile opened = null;
    if (!out.isEmpty()) {
      changes.add(new Change.FileAdded(out.finish(first, last)));
      opened = out.open();
    }
    if (!context.manifest().commitIf(changes, this::admitted)) {
      return false;
    }
    if (opened == null) {
      out.abandon(null);
    }
    output = null;
    made = opened;
    for (OpenFile input : inputs) {
      context.registry().obsolete(input.live());
    }
    return true;
  }

  private boolean admitted() {
    return lifecycle.admits(truncations);
  }

  private void closeInputs() {
    if (merge != null) {
      mergedPartitions = merge.mergedPartitions();
      merge.close();
      merge = null;
    }
    if (blocks != null) {
      blocks.close();
      blocks = null;
    }
  }

  private void abandon(@Nullable Exception why) throws IOException {
    closeInputs();
    SstableOutput out = output;
    output = null;
    if (out != null) {
      out.abandon(why);
    }
  }
}
