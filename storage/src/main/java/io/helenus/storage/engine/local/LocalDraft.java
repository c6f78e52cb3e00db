package io.helenus.storage.engine.local;

import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A draft in a memtable of its own, which is read as the newest of the table's memtables. */
final class LocalDraft implements Draft {
  private final TableStore store;
  private final ShardReads reads;
  private final Snapshots snapshots;
  private final Memtable rows;
  private final MutationView view = new MutationView();
  private @Nullable TableSources below;
  private @Nullable TableSources sources;

  LocalDraft(TableStore store, ShardReads reads, Snapshots snapshots, Memtable rows) {
    this.store = store;
    this.reads = reads;
    this.snapshots = snapshots;
    this.rows = rows;
  }

  @Override
  public void add(MemorySegment mutation, long offset, int length) {
    view.wrap(mutation, offset, length);
    while (view.nextTable()) {
      if (view.tableId() == rows.tableId()) {
        rows.apply(view, snapshots.next());
      }
    }
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    return reads.open(combined(), request);
  }

  @Override
  public @Nullable ReadCursor readBoth(ReadRequest request, RowSink before) {
    TableSources all = combined();
    return all.hasMultiCellColumns() ? null : reads.openBoth(all, request, before);
  }

  private TableSources combined() {
    TableSources current = store.sources();
    TableSources combined = sources;
    if (combined == null || below != current) {
      releaseSources();
      combined = current.with(rows);
      below = current;
      sources = combined;
    }
    return combined;
  }

  private void releaseSources() {
    if (sources != null) {
      sources.release();
      sources = null;
    }
  }

  @Override
  public void close() {
    releaseSources();
    rows.release();
  }
}
