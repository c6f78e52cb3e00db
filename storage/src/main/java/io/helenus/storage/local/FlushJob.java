package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.StorageActivity.Kind;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.job.Activity;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.SstableOutput;
import io.helenus.storage.job.TableLifecycle;
import io.helenus.storage.manifest.Change;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a frozen memtable to an SSTable and makes it live, together with the log positions that it
 * covers. One background thread.
 */
final class FlushJob {
  private static final int REPORTED_ENTRIES = 1024;

  private final JobContext context;
  private final TableDescriptor table;
  private final TableLifecycle lifecycle;
  private final int truncations;
  private final FrozenMemtable frozen;

  FlushJob(
      JobContext context, TableDescriptor table, TableLifecycle lifecycle, FrozenMemtable frozen) {
    this.context = context;
    this.table = table;
    this.lifecycle = lifecycle;
    this.truncations = lifecycle.truncations();
    this.frozen = frozen;
  }

  /**
   * The outcome.
   *
   * @param committed whether the SSTable is live; false if the table was truncated or dropped
   *     before that
   * @param file the open SSTable, or null if there was nothing to write
   */
  record Result(boolean committed, @Nullable OpenFile file) {}

  /** Writes the SSTable and commits it to the manifest. */
  Result run() throws IOException {
    Activity.Running task =
        context
            .activity()
            .begin(
                Kind.FLUSH,
                table.id(),
                context.nowMicros(),
                frozen.bytes,
                frozen.memtable.entryCount(),
                0);
    try {
      return run(task);
    } finally {
      context.activity().end(task);
    }
  }

  private Result run(Activity.Running task) throws IOException {
    SstableOutput output =
        new SstableOutput(context, table, frozen.memtable.entryCount(), logPositions(), false);
    try {
      write(output, task);
      if (output.isEmpty()) {
        output.abandon(null);
        return new Result(context.manifest().commitIf(frozen.positions, this::admitted), null);
      }
      LiveFile live = output.finish(frozen.firstToken, frozen.lastToken);
      OpenFile opened = output.open();
      List<Change> changes = new ArrayList<>(frozen.positions);
      changes.add(new Change.FileAdded(live));
      if (context.manifest().commitIf(changes, this::admitted)) {
        return new Result(true, opened);
      }
      output.abandon(null);
      return new Result(false, null);
    } catch (Throwable e) {
      output.abandon(context.contain(e));
      throw e;
    }
  }

  private boolean admitted() {
    return lifecycle.admits(truncations);
  }

  private void write(SstableOutput output, Activity.Running task) throws IOException {
    long entries = 0;
    try (EntryMerge merge =
        new EntryMerge(frozen.memtable.cursors(), table, PurgeRules.KEEP_ALL, context.segments())) {
      while (merge.next()) {
        output.add(merge);
        if (++entries % REPORTED_ENTRIES == 0) {
          task.passed(entries);
        }
      }
    }
  }

  private byte[] logPositions() {
    ByteWriter out = new ByteWriter(32);
    for (Change change : frozen.positions) {
      if (change instanceof Change.Flushed flushed) {
        out.putLong(flushed.logId()).putLong(flushed.position());
      }
    }
    return out.toArray();
  }
}
