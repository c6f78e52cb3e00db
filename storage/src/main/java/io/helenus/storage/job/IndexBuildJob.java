package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the files of indexes that a live SSTable lacks, or replaces those that lack graphs. It
 * runs in slices, so that flushes on the same threads do not have to wait for its end. The caller
 * retains the SSTable until the end. One background thread at a time.
 */
public final class IndexBuildJob {
  /** Receives the outcome, on the background thread. */
  public interface Listener {
    /**
     * Called once at the end.
     *
     * @param made the files; none after a failure, or if nobody needs them
     */
    void onEnded(List<OpenIndex> made, @Nullable Exception failure);
  }

  private static final int SLICE_ENTRIES = 4_000;

  private final JobContext context;
  private final TableLifecycle lifecycle;
  private final OpenFile file;
  private final List<IndexOutput> outputs;
  private final List<String> missing = new ArrayList<>();
  private final BooleanSupplier isVain;
  private final Listener listener;
  private @Nullable DirectBlocks blocks;
  private @Nullable EntryCursor cursor;
  private boolean added;

  /**
   * Builds indexes of a table for one of its files.
   *
   * @param isVain asked between slices, on the background thread: whether nobody needs them any
   *     more
   */
  public IndexBuildJob(
      JobContext context,
      TableDescriptor table,
      TableLifecycle lifecycle,
      OpenFile file,
      List<IndexDescriptor> indexes,
      BooleanSupplier isVain,
      Listener listener) {
    this.context = context;
    this.lifecycle = lifecycle;
    this.file = file;
    this.isVain = isVain;
    this.listener = listener;
    outputs = IndexOutput.of(context, table, file.live().number(), indexes, true);
    for (IndexDescriptor index : indexes) {
      if (file.index(index.id()) == null) {
        missing.add(file.live().indexPath(index.id()));
      }
    }
  }

  /** Starts when nothing reads damaged files of the indexes any more, which are deleted then. */
  public void start() {
    startAfter(0);
  }

  private void startAfter(int closed) {
    if (closed < missing.size()) {
      context.registry().whenClosed(missing.get(closed), () -> startAfter(closed + 1));
      return;
    }
    try {
      context.runInBackground(this::slice);
    } catch (Throwable e) {
      listener.onEnded(List.of(), context.contain(e));
    }
  }

  private void slice() {
    List<OpenIndex> made = new ArrayList<>();
    try {
      if (lifecycle.isDropped() || isVain.getAsBoolean()) {
        abandon();
      } else if (work()) {
        context.runInBackground(this::slice);
        return;
      } else {
        finish(made);
      }
    } catch (Throwable e) {
      Exception why = context.contain(e);
      made.forEach(index -> index.release());
      try {
        abandon();
      } catch (Throwable another) {
        why.addSuppressed(context.contain(another));
      }
      listener.onEnded(List.of(), why);
      return;
    }
    listener.onEnded(made, null);
  }

  /** Works for a while; returns false if only the end is left. */
  private boolean work() throws IOException {
    if (!added) {
      if (addSome()) {
        return true;
      }
      added = true;
      closeInput();
    }
    for (IndexOutput output : outputs) {
      if (output.prepare()) {
        return true;
      }
    }
    return false;
  }

  /** Reads a slice of the file; returns false at the end. */
  private boolean addSome() throws IOException {
    EntryCursor entries = cursor;
    EntryCursor.Step step;
    if (entries == null) {
      removeDamaged();
      DirectBlocks direct = context.blocks();
      blocks = direct;
      entries = file.sstable().cursor(direct);
      cursor = entries;
      step = entries.first();
    } else {
      step = entries.next();
    }
    for (int i = 0; step == EntryCursor.Step.READY; i++) {
      for (IndexOutput output : outputs) {
        output.add(entries);
      }
      if (i == SLICE_ENTRIES) {
        return true;
      }
      step = entries.next();
    }
    return false;
  }

  /** Deletes files that could not be opened. */
  private void removeDamaged() throws IOException {
    for (String path : missing) {
      if (context.files().exists(path)) {
        context.files().delete(path);
        context.registry().deleted(path, file.live());
      }
    }
  }

  private void finish(List<OpenIndex> made) throws IOException {
    for (IndexOutput output : outputs) {
      output.finish();
    }
    try {
      context.files().syncFolder(LiveFile.FOLDER);
    } catch (IOException e) {
      context.fatal(e);
      throw e;
    }
    for (IndexOutput output : outputs) {
      made.add(output.open());
    }
  }

  private void closeInput() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
    if (blocks != null) {
      blocks.close();
      blocks = null;
    }
  }

  private void abandon() throws IOException {
    closeInput();
    for (IndexOutput output : outputs) {
      output.discard();
    }
  }
}
