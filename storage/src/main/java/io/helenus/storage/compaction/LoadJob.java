package io.helenus.storage.compaction;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.SstableOutput;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds the contents of files that are not live to a table, with all deletions: merges them, under
 * the column ids of the table, into one new file per shard, and makes these live with one edit of
 * the manifest. It runs in slices, so that flushes on the same threads do not have to wait for its
 * end. One background thread at a time.
 */
public final class LoadJob {
  /** A new live file, for its shard. */
  public static final class Loaded {
    private final OpenFile file;
    private final TableLifecycle lifecycle;
    private final int truncations;

    Loaded(OpenFile file, TableLifecycle lifecycle, int truncations) {
      this.file = file;
      this.lifecycle = lifecycle;
      this.truncations = truncations;
    }

    public OpenFile file() {
      return file;
    }

    /** False if the table has been truncated or dropped since; then the file is not live. */
    public boolean isCurrent() {
      return lifecycle.admits(truncations);
    }
  }

  /** Receives the outcome, on a background thread. */
  public interface Listener {
    /**
     * Called once at the end.
     *
     * @param made the new files by shard; none after a failure
     */
    void onEnded(Map<Integer, Loaded> made, @Nullable Exception failure);
  }

  private static final int SLICE_ENTRIES = 4_000;

  /** The most cursors over files that are read several times: each has two blocks in memory. */
  private static final int MAX_CURSORS = 1_000;

  private final JobContext context;
  private final TableDescriptor table;
  private final TableLifecycle lifecycle;
  private final int truncations;
  private final FilesToLoad source;
  private final ColumnRuns runs;
  private final Listener listener;
  private final DirectBlocks blocks = new DirectBlocks();
  private final List<FileSystem.File> files = new ArrayList<>();
  private final List<Sstable> inputs = new ArrayList<>();
  private final TreeMap<Integer, SstableOutput> outputs = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private @Nullable EntryMerge merge;
  private int shard;

  public LoadJob(
      JobContext context,
      TableDescriptor table,
      TableLifecycle lifecycle,
      FilesToLoad source,
      Listener listener) {
    this.context = context;
    this.table = table;
    this.lifecycle = lifecycle;
    this.truncations = lifecycle.truncations();
    this.source = source;
    this.runs = new ColumnRuns(source, table);
    this.listener = listener;
  }

  /** Starts. */
  public void start() {
    try {
      context.runInBackground(this::slice);
    } catch (Throwable e) {
      listener.onEnded(Map.of(), context.contain(e));
    }
  }

  private void slice() {
    TreeMap<Integer, Loaded> made;
    try {
      if (inputs.isEmpty()) {
        open();
      }
      if (!lifecycle.admits(truncations)) {
        throw changed();
      }
      if (copySome()) {
        context.runInBackground(this::slice);
        return;
      }
      closeInputs();
      made = commit();
    } catch (Throwable e) {
      Exception why = context.contain(e);
      abandon(why);
      listener.onEnded(Map.of(), why);
      return;
    }
    listener.onEnded(made, null);
  }

  private StorageException changed() {
    return new StorageException("the table was truncated or dropped meanwhile; nothing was loaded");
  }

  private void open() throws IOException {
    for (String path : source.paths()) {
      FileSystem.File file = context.files().open(path);
      files.add(file);
      Sstable input = context.format().open(file);
      if (input.tableId() != source.tableId()) {
        throw new StorageException(
            file.path()
                + " was written for the table with id "
                + input.tableId()
                + ", not "
                + source.tableId());
      }
      inputs.add(input);
    }
    if (inputs.isEmpty()) {
      throw new StorageException("there are no files to load");
    }
    if (runs.count() > 1 && inputs.size() * runs.count() > MAX_CURSORS) {
      throw new StorageException(
          inputs.size()
              + " files cannot be read at once in "
              + runs.count()
              + " orders of the columns with collections: create the table with the"
              + " statements in schema.cql of the snapshot");
    }
  }

  /** Copies a slice; returns false when all shards are done. */
  private boolean copySome() throws IOException {
    EntryMerge running = merge;
    if (running == null) {
      running = mergeOfShard();
      merge = running;
    }
    for (int i = 0; i < SLICE_ENTRIES; i++) {
      if (!running.next()) {
        running.close();
        merge = null;
        finishOutput();
        return ++shard < context.shardMap().count();
      }
      SstableOutput output = outputs.get(shard);
      if (output == null) {
        output = new SstableOutput(context, table, inputEntries(), new byte[0], false);
        outputs.put(shard, output);
      }
      output.add(running);
    }
    return true;
  }

  private long inputEntries() {
    return inputs.stream().mapToLong(input -> input.statistics().entries()).sum();
  }

  private EntryMerge mergeOfShard() {
    ByteWriter lower = new ByteWriter(8);
    KeyFormat.putToken(context.shardMap().firstToken(shard), lower);
    ByteWriter upper = new ByteWriter(8);
    if (shard + 1 < context.shardMap().count()) {
      KeyFormat.putToken(context.shardMap().firstToken(shard + 1), upper);
    }
    List<EntryCursor> cursors = new ArrayList<>();
    for (Sstable input : inputs) {
      cursors.addAll(
          TranslatingCursor.of(
              () -> input.cursor(blocks), source.columns(), runs, context.segments()));
    }
    TableDescriptor merged = source.withDrops(table);
    return new EntryMerge(cursors, merged, PurgeRules.KEEP_ALL, context.segments())
        .range(lower.toArray(), upper.toArray());
  }

  private void finishOutput() throws IOException {
    SstableOutput output = outputs.get(shard);
    if (output == null) {
      return;
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Sstable input : inputs) {
      first = Math.min(first, input.statistics().smallestToken());
      last = Math.max(last, input.statistics().largestToken());
    }
    changes.add(
        new Change.FileAdded(
            output.finish(
                Math.max(first, context.shardMap().firstToken(shard)),
                Math.min(last, context.lastToken(shard)))));
  }

  private TreeMap<Integer, Loaded> commit() throws IOException {
    TreeMap<Integer, Loaded> made = new TreeMap<>();
    for (Map.Entry<Integer, SstableOutput> output : outputs.entrySet()) {
      made.put(output.getKey(), new Loaded(output.getValue().open(), lifecycle, truncations));
    }
    if (!made.isEmpty()
        && !context.manifest().commitIf(changes, () -> lifecycle.admits(truncations))) {
      throw changed();
    }
    return made;
  }

  private void closeInputs() throws IOException {
    EntryMerge running = merge;
    merge = null;
    if (running != null) {
      running.close();
    }
    blocks.close();
    for (FileSystem.File file : files) {
      file.close();
    }
    files.clear();
  }

  private void abandon(Exception why) {
    try {
      closeInputs();
      for (SstableOutput output : outputs.values()) {
        output.abandon(why);
      }
    } catch (Throwable e) {
      why.addSuppressed(context.contain(e));
    }
  }
}
