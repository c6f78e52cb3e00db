package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.Snapshots;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A draft in a memtable of its own, which is read as the newest of the table's memtables. Most
 * drafts have one small mutation of one row, which needs no memtable. Reusable: see {@link Pool}.
 */
final class LocalDraft implements Draft {
  /** The size of the largest mutation that may do without a memtable. */
  private static final int SMALL_BYTES = 4 << 10;

  private final Pool pool;
  private final MutationView view = new MutationView();
  private final MutationEntry entry = new MutationEntry();
  private final RowView row = new RowView();

  /** The only mutation so far, if it is not in the memtable. */
  private final ByteWriter first = new ByteWriter(256);

  private TableStore store;
  private @Nullable Memtable rows;
  private @Nullable TableSources below;
  private @Nullable TableSources sources;
  private boolean open;

  /** The drafts of a shard, with those that have been closed. Shard thread only. */
  static final class Pool {
    private static final int FREE_LIMIT = 16;

    private final StorageContext context;
    private final TableReads reads;
    private final Snapshots snapshots;
    private final ArrayDeque<LocalDraft> free = new ArrayDeque<>();

    Pool(StorageContext context, TableReads reads, Snapshots snapshots) {
      this.context = context;
      this.reads = reads;
      this.snapshots = snapshots;
    }

    /** An empty draft of a table. */
    LocalDraft take(TableStore store) {
      LocalDraft taken = free.isEmpty() ? new LocalDraft(this, store) : free.removeLast();
      taken.store = store;
      taken.open = true;
      return taken;
    }
  }

  private LocalDraft(Pool pool, TableStore store) {
    this.pool = pool;
    this.store = store;
  }

  @Override
  public void add(MemorySegment mutation, long offset, int length) {
    if (rows == null && first.size() == 0 && length <= SMALL_BYTES) {
      first.putBytes(mutation, offset, length);
    } else {
      apply(memtable(), mutation, offset, length);
    }
  }

  /** The memtable, with what has been added. */
  private Memtable memtable() {
    Memtable present = rows;
    if (present == null) {
      present =
          new Memtable(store.tableId(), pool.context.memory().slabs(Use.MEMTABLES), pool.snapshots);
      rows = present;
      if (first.size() > 0) {
        apply(present, first.segment(), 0, first.size());
        first.clear();
      }
    }
    return present;
  }

  private void apply(Memtable memtable, MemorySegment mutation, long offset, int length) {
    view.wrap(mutation, offset, length);
    while (view.nextTable()) {
      if (view.tableId() == store.tableId()) {
        memtable.apply(view, pool.snapshots.next());
      }
    }
  }

  @Override
  public ReadCursor read(ReadRequest request) {
    return pool.reads.open(combined(), request);
  }

  @Override
  public @Nullable ReadCursor readBoth(ReadRequest request, RowSink before) {
    TableSources current = store.sources();
    if (current.hasMultiCellColumns()) {
      return null;
    }
    return isOneRow() && isFor(request)
        ? pool.reads.openBoth(current, request, before, row)
        : pool.reads.openBoth(combined(), request, before, null);
  }

  /**
   * Whether the draft is one row as it would be in a memtable, in {@code row}, and has no memtable.
   */
  private boolean isOneRow() {
    if (rows != null || first.size() == 0) {
      return false;
    }
    int tables = 0;
    boolean fits = true;
    view.wrap(first.segment(), 0, first.size());
    while (view.nextTable()) {
      if (view.tableId() == store.tableId()) {
        long end = view.entriesOffset() + view.entriesLength();
        fits &= ++tables == 1 && isRow(view.entriesOffset(), end);
      }
    }
    return fits && tables == 1;
  }

  /** Whether there is one entry, a row without a deletion; those are normalized by a memtable. */
  private boolean isRow(long offset, long end) {
    if (offset == end
        || entry.wrap(first.segment(), offset) != end
        || entry.kind() != RowFormat.ENTRY_ROW) {
      return false;
    }
    row.wrap(first.segment(), entry.valueOffset(), entry.valueLength());
    return !row.hasDeletion();
  }

  /** Whether the request is for the row of the entry and no other. */
  private boolean isFor(ReadRequest request) {
    return request.keys().sliceCount() == 1
        && Bytes.equal(
            first.segment(),
            entry.suffixOffset(),
            entry.suffixLength(),
            request.segment(),
            request.keys().sliceOffset(0),
            request.keys().sliceLowerLength(0));
  }

  private TableSources combined() {
    TableSources current = store.sources();
    TableSources combined = sources;
    if (combined == null || below != current) {
      releaseSources();
      combined = current.with(memtable());
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
    below = null;
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    releaseSources();
    if (rows != null) {
      rows.release();
      rows = null;
    }
    first.clear();
    if (pool.free.size() < Pool.FREE_LIMIT) {
      pool.free.addLast(this);
    }
  }
}
