package io.helenus.server.replica;

import io.helenus.server.error.CqlException;
import io.helenus.server.view.BaseViews;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a turn of a partition changes in views: reads the rows that it may change as they
 * are and as they will be, piece by piece, and compares them. A read may be suspended until blocks
 * are loaded. Shard thread only; reusable.
 */
final class ViewReads implements Runnable {
  /** The limit of the changes of one turn, well below that of a mutation. */
  static final int LIMIT_BYTES = 8 << 20;

  private static final ByteWriter NO_PREFIX = new ByteWriter(1);

  private final PartitionQueues queues;
  private final Outcome outcome;
  private final ArrayDeque<Table> tables = new ArrayDeque<>();
  private final RowsRead before = new RowsRead();
  private final RowsRead after = new RowsRead();
  private final ReadRequest request = new ReadRequest();
  private final ViewChanges changes = new ViewChanges();
  private ByteWriter prefix = NO_PREFIX;
  private long nowSeconds;
  private @Nullable ReadCursor cursor;
  private boolean readsBoth;
  private boolean readsAfter;
  private long beganNanos;

  /** Receives the changes, or why there are none. */
  interface Outcome {
    void computed(ViewChanges changes);

    void failed(Exception cause);
  }

  /** The rows of a table that may change; without a draft they are shown as they are. */
  record Table(BaseViews views, AffectedRows rows, Draft draft) {}

  ViewReads(PartitionQueues queues, Outcome outcome) {
    this.queues = queues;
    this.outcome = outcome;
  }

  /** Begins a turn of a partition. */
  void begin(ByteWriter ofPartition) {
    nowSeconds = queues.clock().wallSeconds();
    beganNanos = queues.shard().readClock();
    prefix = ofPartition;
  }

  /** Ends the turn: forgets its rows and changes. */
  void end() {
    before.release();
    after.release();
    changes.clear();
    tables.clear();
  }

  void add(Table table) {
    tables.add(table);
  }

  /** Starts, or continues. */
  @Override
  public void run() {
    try {
      while (true) {
        ReadCursor open = cursor;
        if (open == null) {
          open = openNext();
          if (open == null) {
            break;
          }
          cursor = open;
        }
        switch (open.advance(readsAfter ? after : before)) {
          case WAITING -> {
            open.whenReady(this);
            return;
          }
          case YIELD -> {
            queues.shard().executeLast(this);
            return;
          }
          case DONE -> ended(false);
          case STOPPED -> ended(true);
        }
      }
    } catch (Throwable e) {
      Exception cause = queues.shard().fatal().contain(e);
      close();
      outcome.failed(cause);
      return;
    }
    outcome.computed(changes);
  }

  /** Opens the read of the next piece as it is; null after the last one. */
  private @Nullable ReadCursor openNext() {
    Table table;
    while ((table = tables.peekFirst()) != null) {
      beginRequest(table);
      if (table.rows.addNext(request)) {
        before.begin(true);
        after.begin(false);
        ReadCursor both = table.rows.areSingleRows() ? table.draft.readBoth(request, before) : null;
        readsBoth = both != null;
        readsAfter = readsBoth;
        return both != null ? both : queues.engine().read(request);
      }
      tables.removeFirst();
      long now = queues.shard().readClock();
      queues.metrics().viewsRead(table.views.base().storageId(), now - beganNanos);
      beganNanos = now;
    }
    return null;
  }

  private void beginRequest(Table table) {
    request
        .reset(table.views.base().storageId(), nowSeconds)
        .partition(prefix.segment(), 0, prefix.size())
        .wantsDeadRows(true);
  }

  private void ended(boolean stopped) {
    close();
    Table table = tables.getFirst();
    byte[] stoppedAt = stopped ? before.lastKey() : null;
    if (readsBoth) {
      table.rows.passRows(stoppedAt);
    } else if (!readsAfter) {
      beginRequest(table);
      table.rows.addSame(request, stoppedAt);
      readsAfter = true;
      cursor = table.draft.read(request);
      return;
    }
    compare(table.views);
  }

  private void close() {
    ReadCursor ended = cursor;
    cursor = null;
    if (ended != null) {
      ended.close();
    }
  }

  private void compare(BaseViews views) {
    // other turns may have used the views while the reads waited
    views.partition(prefix.segment(), 0);
    int i = 0;
    int j = 0;
    while (i < before.count() || j < after.count()) {
      int order = i == before.count() ? 1 : j == after.count() ? -1 : before.compare(i, after, j);
      RowsRead key = order <= 0 ? before : after;
      views.add(
          key.segment(),
          key.keyOffset(order <= 0 ? i : j),
          order <= 0 ? before.row(i) : null,
          order >= 0 ? after.row(j) : null,
          nowSeconds,
          changes);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    if (changes.bytes() > LIMIT_BYTES) {
      throw CqlException.invalid(
          "The write changes more than "
              + (LIMIT_BYTES >> 20)
              + " MiB in the materialized views of "
              + views.base()
              + "; write or delete fewer rows at once");
    }
  }
}
