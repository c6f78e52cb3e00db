package io.helenus.server.replica;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.ShareId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The computed writes of one partition, in order of arrival. It works in turns:
 *
 * <ol>
 *   <li>the waiting writes are computed one after the other; each sees the results of those before
 *       it, which are in a draft that nobody else reads;
 *   <li>their mutations are logged together, as one mutation, so that a turn costs one sync;
 *   <li>when that is durable, and thus visible, all writes of the turn are answered, also those
 *       that wrote nothing because of what an earlier one of the turn will have written.
 * </ol>
 *
 * <p>Writes that arrive during a turn wait for the next one. A read may be suspended until blocks
 * are loaded. Shard thread only.
 */
final class PartitionQueue implements Runnable, StorageEngine.WriteListener {
  private static final int TURN_WRITES = 128;
  private static final int TURN_BYTES = 128 << 10;

  private final PartitionQueues queues;
  private final PartitionQueues.Partition partition;
  private final ArrayDeque<QueuedWrite> waiting = new ArrayDeque<>();
  private final List<QueuedWrite> turn = new ArrayList<>();
  private final MutationView view = new MutationView();
  private final ByteWriter computed = new ByteWriter(256);
  private final ByteWriter logged = new ByteWriter(256);
  private final MutationWriter writer = new MutationWriter(logged);
  private int begun;
  private boolean draftFailed;
  private @Nullable Draft draft;
  private @Nullable QueuedWrite current;
  private @Nullable ReadCursor cursor;
  private @Nullable RowSink sink;
  private boolean busy;

  PartitionQueue(PartitionQueues queues, PartitionQueues.Partition partition) {
    this.queues = queues;
    this.partition = partition;
  }

  void add(QueuedWrite write) {
    waiting.addLast(write);
    if (!busy) {
      busy = true;
      run();
    }
  }

  /** Continues the turn, or begins the next one. */
  @Override
  public void run() {
    while (true) {
      QueuedWrite write = current;
      if (write == null) {
        write = isTurnFull() ? null : beginNext();
        if (write == null) {
          endTurn();
          return;
        }
      }
      if (!read(write)) {
        return;
      }
    }
  }

  private boolean isTurnFull() {
    return draftFailed || begun == TURN_WRITES || logged.size() > TURN_BYTES;
  }

  /** Takes the next write of the turn; null if none is waiting. */
  private @Nullable QueuedWrite beginNext() {
    QueuedWrite next;
    while ((next = waiting.pollFirst()) != null) {
      queues.begun();
      if (next.begin()) {
        begun++;
        current = next;
        return next;
      }
    }
    return null;
  }

  /** Reads for the current write and computes it; false if it has to wait. */
  private boolean read(QueuedWrite write) {
    try {
      ReadCursor open = cursor;
      RowSink rows = sink;
      if (open == null || rows == null) {
        ShareId share = write.write().needsCounterShare() ? queues.engine().counterShare() : null;
        if (share == null && write.write().needsCounterShare()) {
          queues.engine().claimCounterShare(this::claimed);
          return false;
        }
        ReadRequest request = write.write().request();
        rows = write.write().begin(share);
        open = draft == null ? queues.engine().read(request) : draft.read(request);
        sink = rows;
        cursor = open;
      }
      switch (open.advance(rows)) {
        case WAITING -> {
          open.whenReady(this);
          return false;
        }
        case YIELD -> {
          queues.shard().executeLast(this);
          return false;
        }
        case DONE, STOPPED -> compute(write, open);
      }
    } catch (Throwable e) {
      Exception cause = queues.shard().fatal().contain(e);
      endRead();
      write.notComputed(cause);
    }
    return true;
  }

  /** The engine has a share id, or the current write fails. */
  private void claimed(@Nullable Exception failure) {
    QueuedWrite write = current;
    if (failure != null && write != null) {
      endRead();
      write.notWritten(failure);
    }
    run();
  }

  private void compute(QueuedWrite write, ReadCursor read) {
    int rows = read.rowsRead();
    int tombstones = read.tombstonesRead();
    computed.clear();
    boolean wrote = write.write().compute(queues.nextTimestamp(), computed);
    write.computed(wrote, rows, tombstones);
    if (wrote && !waiting.isEmpty()) {
      addToDraft();
    }
    if (wrote) {
      addToLogged();
    }
    endRead();
    if (logged.size() > 0) {
      turn.add(write);
    } else {
      write.durable(begun);
    }
  }

  private void endRead() {
    current = null;
    sink = null;
    ReadCursor ended = cursor;
    if (ended != null) {
      cursor = null;
      ended.close();
    }
  }

  private void addToDraft() {
    Draft open = draft;
    if (open == null) {
      open = queues.engine().draft(partition.tableId());
      draft = open;
    }
    // A draft with a part of a mutation would be read by the next write of the turn.
    draftFailed = true;
    open.add(computed.segment(), 0, computed.size());
    draftFailed = false;
  }

  /** Adds the entries of the computed mutation to the one that the turn will log. */
  private void addToLogged() {
    view.wrap(computed.segment(), 0, computed.size());
    if (logged.size() == 0) {
      writer
          .begin(
              view.token(), view.epoch(), view.segment(), view.prefixOffset(), view.prefixLength())
          .beginTable(partition.tableId());
    }
    while (view.nextTable()) {
      writer.entries(view.segment(), view.entriesOffset(), view.entriesLength());
    }
  }

  private void endTurn() {
    if (logged.size() == 0) {
      next();
      return;
    }
    writer.endTable().finish();
    try {
      queues.engine().apply(logged.segment(), 0, logged.size(), this);
    } catch (Throwable e) {
      onRefused(queues.shard().fatal().contain(e));
    }
    queues.shard().tick();
  }

  @Override
  public void onDurable() {
    int size = begun;
    for (QueuedWrite write : turn) {
      write.durable(size);
    }
    next();
  }

  @Override
  public void onRefused(Exception cause) {
    for (QueuedWrite write : turn) {
      write.notWritten(cause);
    }
    next();
  }

  /** Ends the turn; the next one begins in another task, so that the shard can do other work. */
  private void next() {
    turn.clear();
    logged.clear();
    begun = 0;
    draftFailed = false;
    if (draft != null) {
      draft.close();
      draft = null;
    }
    if (waiting.isEmpty()) {
      busy = false;
      queues.idle(partition);
    } else {
      queues.shard().executeLast(this);
    }
  }
}
