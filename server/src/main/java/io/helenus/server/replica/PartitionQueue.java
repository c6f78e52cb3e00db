package io.helenus.server.replica;

import io.helenus.server.error.CqlException;
import io.helenus.server.view.BaseViews;
import io.helenus.server.view.ViewChanges;
import io.helenus.server.view.ViewedTables;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition that are computed from its rows, and all writes to those of its
 * tables that have views, in order of arrival. It works in turns:
 *
 * <ol>
 *   <li>the waiting writes are computed one after the other; each sees the results of those before
 *       it, which are in a draft that nobody else reads;
 *   <li>the changes of views are computed from the rows as they are and as they are in the draft;
 *   <li>their mutations are logged together, as one mutation, so that a turn costs one sync, and
 *       with those of the views ({@link ViewWrites});
 *   <li>when that is durable, and thus visible, all writes of the turn are answered, also those
 *       that wrote nothing because of what an earlier one of the turn will have written.
 * </ol>
 *
 * <p>Writes that arrive during a turn wait for the next one. A read may be suspended until blocks
 * are loaded. Shard thread only.
 */
final class PartitionQueue implements Runnable, StorageEngine.WriteListener, ViewReads.Outcome {
  private static final int TURN_WRITES = 128;
  private static final int TURN_BYTES = 128 << 10;
  private static final int KEPT_BYTES = 8 << 10;

  private final PartitionQueues queues;
  private final ArrayDeque<QueueEntry> waiting = new ArrayDeque<>();
  private final List<QueueEntry> turn = new ArrayList<>();
  private final ByteWriter computed = new ByteWriter(256);
  private final ByteWriter logged = new ByteWriter(256);
  private final MutationWriter writer = new MutationWriter(logged);
  private final TurnMutation mutation = new TurnMutation();
  private final TurnDrafts drafts;
  private PartitionQueues.@Nullable Partition partition;
  private @Nullable ViewReads reads;
  private @Nullable ViewWrites viewWrites;
  private ViewedTables viewed;
  private int begun;
  private int alone;
  private @Nullable QueuedWrite current;
  private @Nullable ReadCursor cursor;
  private @Nullable RowSink sink;
  private boolean busy;
  private boolean inTurn;

  PartitionQueue(PartitionQueues queues) {
    this.queues = queues;
    drafts = new TurnDrafts(queues);
    viewed = queues.viewed();
  }

  /** Adds a write of the partition whose queue this is until it is idle. */
  void add(PartitionQueues.Partition ofWrite, QueueEntry write) {
    partition = ofWrite;
    waiting.addLast(write);
    if (!busy) {
      busy = true;
      run();
    }
  }

  /** Continues the turn, or begins the next one. */
  @Override
  public void run() {
    if (!inTurn) {
      if (!queues.beginTurn(this)) {
        return;
      }
      inTurn = true;
      viewed = queues.viewed();
    }
    while (true) {
      QueuedWrite write = current;
      if (write == null) {
        QueueEntry next = isTurnFull() || stepIsNext() ? null : beginNext();
        if (next == null) {
          endWrites();
          return;
        }
        if (next instanceof QueueStep step) {
          step.start(this::next);
          return;
        }
        if (next instanceof LocalWrite plain) {
          take(plain);
          continue;
        }
        write = (QueuedWrite) next;
        current = write;
      }
      if (!read(write)) {
        return;
      }
    }
  }

  private boolean isTurnFull() {
    return drafts.isFailed()
        || begun == TURN_WRITES
        || alone > 0 && begun == 1
        || mutation.size() > TURN_BYTES;
  }

  /** Whether the next turn is that of a step, which has a turn of its own. */
  private boolean stepIsNext() {
    return begun > 0 && waiting.peekFirst() instanceof QueueStep;
  }

  /** Takes the next write of the turn; null if none is waiting. */
  private @Nullable QueueEntry beginNext() {
    QueueEntry next;
    while ((next = waiting.pollFirst()) != null) {
      queues.begun();
      if (next.begin()) {
        begun++;
        return next;
      }
    }
    return null;
  }

  private void take(LocalWrite write) {
    try {
      add(write.mutation(), write.length());
      turn.add(write);
    } catch (Throwable e) {
      write.notWritten(queues.shard().fatal().contain(e));
    }
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
        open = drafts.read(request);
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
    if (wrote) {
      add(computed.segment(), computed.size());
    }
    endRead();
    if (mutation.isEmpty()) {
      write.durable(begun);
    } else {
      turn.add(write);
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

  /** Adds a mutation to the turn, and to the drafts of the tables that are going to be read. */
  private void add(MemorySegment bytes, int length) {
    drafts.add(bytes, length, viewed, !waiting.isEmpty());
    mutation.add(bytes, 0, length);
  }

  private void endWrites() {
    if (mutation.isEmpty()) {
      next();
      return;
    }
    if (queues.haveViewsChanged(viewed)) {
      repeat();
      return;
    }
    ViewReads began = null;
    if (!viewed.isEmpty()) {
      for (TurnMutation.Table table : mutation.tables()) {
        BaseViews views = viewed.of(table.id());
        if (views != null) {
          began = began == null ? beginReads() : began;
          for (QueueEntry write : turn) {
            queues.metrics().viewsWaited(table.id(), write.waitedNanos());
          }
          ByteWriter entries = table.entries();
          AffectedRows rows = new AffectedRows(entries.segment(), 0, entries.size());
          began.add(new ViewReads.Table(views, rows, drafts.of(table.id())));
        }
      }
    }
    if (began == null) {
      logged.clear();
      mutation.write(writer);
      writer.finish();
      applyLogged();
    } else {
      began.run();
    }
  }

  private ViewReads beginReads() {
    ViewReads reused = reads;
    if (reused == null) {
      reused = new ViewReads(queues, this);
      reads = reused;
    }
    reused.begin(mutation.key());
    return reused;
  }

  private void applyLogged() {
    try {
      queues.engine().apply(logged.segment(), 0, logged.size(), this);
    } catch (Throwable e) {
      onRefused(queues.shard().fatal().contain(e));
    }
    queues.shard().tick();
  }

  /** The views' changes in the same partition become part of the turn's mutation. */
  @Override
  public void computed(ViewChanges changes) {
    drafts.close();
    logged.clear();
    mutation.write(writer);
    List<ViewChanges.Partition> others = new ArrayList<>();
    for (ViewChanges.Partition changed : changes.partitions()) {
      if (changed.hasPrefix(mutation.prefix())) {
        changed.writeTables(writer);
      } else {
        others.add(changed);
      }
    }
    writer.finish();
    if (others.isEmpty()) {
      applyLogged();
      return;
    }
    ViewWrites reused = viewWrites;
    if (reused == null) {
      reused = new ViewWrites(queues, logged, writer, this);
      viewWrites = reused;
    }
    reused.start(mutation.token(), mutation.epoch(), others);
  }

  /**
   * The changes of views could not be computed. If that may be because of one of several writes,
   * each gets a turn of its own.
   */
  @Override
  public void failed(Exception cause) {
    if (cause instanceof CqlException && turn.size() > 1) {
      alone = turn.size() + 1;
      repeat();
    } else {
      onRefused(cause);
    }
  }

  /** Ends the turn; its writes are the first ones of the next turns. */
  private void repeat() {
    for (int i = turn.size() - 1; i >= 0; i--) {
      waiting.addFirst(turn.get(i));
    }
    queues.returned(turn.size());
    next();
  }

  @Override
  public void onDurable() {
    int size = begun;
    for (QueueEntry write : turn) {
      write.durable(size);
    }
    next();
  }

  @Override
  public void onRefused(Exception cause) {
    if (cause instanceof WriteRefusedException refused
        && refused.reason() == WriteRefusedException.Reason.UNKNOWN_TABLE
        && viewed != queues.viewed()) {
      // a view was dropped while its changes were computed
      repeat();
      return;
    }
    for (QueueEntry write : turn) {
      if (cause instanceof CqlException known) {
        write.refused(known.error());
      } else {
        write.notWritten(cause);
      }
    }
    next();
  }

  /** Ends the turn; the next one begins in another task, so that the shard can do other work. */
  private void next() {
    turn.clear();
    mutation.clear();
    if (reads != null) {
      reads.end();
    }
    computed.clear(KEPT_BYTES);
    logged.clear(KEPT_BYTES);
    begun = 0;
    alone = Math.max(0, alone - 1);
    drafts.close();
    inTurn = false;
    queues.endTurn();
    PartitionQueues.Partition served = partition;
    if (waiting.isEmpty() && served != null) {
      busy = false;
      queues.idle(served, this);
    } else {
      queues.shard().executeLast(this);
    }
  }
}
