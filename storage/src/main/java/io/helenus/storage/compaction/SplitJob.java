package io.helenus.storage.compaction;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.SstableOutput;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Splits a file with rows of several shards into one file per shard, after the number of shards has
 * changed. All new files are written before one edit of the manifest makes them live. One
 * background thread.
 */
public final class SplitJob {
  private final JobContext context;
  private final TableDescriptor table;
  private final TableLifecycle lifecycle;
  private final int truncations;
  private final LiveFile shared;

  public SplitJob(
      JobContext context, TableDescriptor table, TableLifecycle lifecycle, LiveFile shared) {
    this.context = context;
    this.table = table;
    this.lifecycle = lifecycle;
    this.truncations = lifecycle.truncations();
    this.shared = shared;
  }

  /**
   * Splits the file. Returns the new files by shard; none if the table was truncated or dropped
   * before the end.
   */
  public TreeMap<Integer, OpenFile> run() throws IOException {
    TreeMap<Integer, SstableOutput> outputs = new TreeMap<>();
    try {
      TreeMap<Integer, OpenFile> made = write(outputs);
      List<Change> changes = new ArrayList<>();
      changes.add(new Change.FileRemoved(shared.number()));
      made.values().forEach(file -> changes.add(new Change.FileAdded(file.live())));
      if (context.manifest().commitIf(changes, () -> lifecycle.admits(truncations))) {
        context.registry().obsolete(shared);
        return made;
      }
      for (SstableOutput output : outputs.values()) {
        output.abandon(null);
      }
      return new TreeMap<>();
    } catch (Throwable e) {
      Exception why = context.contain(e);
      for (SstableOutput output : outputs.values()) {
        output.abandon(why);
      }
      throw e;
    }
  }

  private TreeMap<Integer, OpenFile> write(TreeMap<Integer, SstableOutput> outputs)
      throws IOException {
    try (FileSystem.File file = context.files().open(shared.path())) {
      Sstable input = context.format().open(file);
      try (DirectBlocks blocks = context.blocks()) {
        return write(input, blocks, outputs);
      } finally {
        input.release();
      }
    }
  }

  private TreeMap<Integer, OpenFile> write(
      Sstable input, DirectBlocks blocks, TreeMap<Integer, SstableOutput> outputs)
      throws IOException {
    TreeMap<Integer, OpenFile> made = new TreeMap<>();
    int first = context.shardMap().shardOf(shared.firstToken());
    int last = context.shardMap().shardOf(shared.lastToken());
    for (int shard = first; shard <= last; shard++) {
      SstableOutput output =
          new SstableOutput(context, table, input.statistics().entries(), new byte[0], false);
      outputs.put(shard, output);
      copy(input.cursor(blocks), shard, output);
      if (output.isEmpty()) {
        outputs.remove(shard);
        output.abandon(null);
      } else {
        LiveFile live =
            output.finish(
                Math.max(shared.firstToken(), context.shardMap().firstToken(shard)),
                Math.min(shared.lastToken(), context.lastToken(shard)));
        OpenFile opened = output.open();
        assert opened.live().equals(live);
        made.put(shard, opened);
      }
    }
    return made;
  }

  private void copy(EntryCursor cursor, int shard, SstableOutput output) throws IOException {
    ByteWriter lower = new ByteWriter(8);
    KeyFormat.putToken(context.shardMap().firstToken(shard), lower);
    ByteWriter upper = new ByteWriter(8);
    if (shard + 1 < context.shardMap().count()) {
      KeyFormat.putToken(context.shardMap().firstToken(shard + 1), upper);
    }
    try (EntryMerge merge =
        new EntryMerge(List.of(cursor), table, PurgeRules.KEEP_ALL, context.segments())
            .range(lower.toArray(), upper.toArray())) {
      while (merge.next()) {
        output.add(merge);
      }
    }
  }
}
