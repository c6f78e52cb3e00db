package io.helenus.server.replica;

import io.helenus.server.error.CqlException;
import io.helenus.server.shard.Shard;
import io.helenus.server.view.BaseViews;
import io.helenus.server.view.ViewChanges;
import io.helenus.server.view.ViewedTables;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.WriteRefusedException;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a partition: what its entries work with, and how their mutations are written:
 *
 * <ol>
 *   <li>what the entries write is added to drafts, which nobody else reads, and to the mutation of
 *       the turn;
 *   <li>the changes of views are computed from the rows as they are and as they are in the drafts;
 *   <li>the mutation is logged, as one, so that a turn costs one sync, and with what it changes in
 *       views ({@link ViewWrites});
 *   <li>when that is durable, and thus visible, the entries are answered.
 * </ol>
 *
 * Shard thread only; reusable.
 */
final class PartitionTurn implements Runnable, StorageEngine.WriteListener, ViewReads.Outcome {
  private static final int TURN_BYTES = 128 << 10;
  private static final int KEPT_BYTES = 8 << 10;

  private final PartitionQueues queues;
  private final Owner owner;
  private final List<WriteEntry> entries = new ArrayList<>();
  private final ByteWriter computed = new ByteWriter(256);
  private final ByteWriter logged = new ByteWriter(256);
  private final MutationWriter writer = new MutationWriter(logged);
  private final TurnMutation mutation = new TurnMutation();
  private final TurnDrafts drafts;
  private @Nullable ViewReads reads;
  private @Nullable ViewWrites viewWrites;
  private ViewedTables viewed;

  /** The queue whose turn it is. */
  interface Owner {
    /** Whether entries wait that may read what this turn writes. */
    boolean hasMore();

    /** How many entries have begun in this turn. */
    int begun();

    /** An entry that waited is to be run again. */
    void goOn();

    /**
     * The turn is over, and its entries know the outcome, except those that are to have another.
     *
     * @param oneByOne whether each of these is to have a turn of its own
     */
    void over(List<? extends QueueEntry> repeated, boolean oneByOne);
  }

  PartitionTurn(PartitionQueues queues, Owner owner) {
    this.queues = queues;
    this.owner = owner;
    drafts = new TurnDrafts(queues);
    viewed = queues.viewed();
  }

  /** Begins a turn, without entries. */
  void begin() {
    viewed = queues.viewed();
  }

  /** Whether no further entry may write. */
  boolean isFull() {
    return drafts.isFailed() || mutation.size() > TURN_BYTES;
  }

  Shard shard() {
    return queues.shard();
  }

  StorageEngine engine() {
    return queues.engine();
  }

  /** A new timestamp, greater than all before. */
  long nextTimestamp() {
    return queues.nextTimestamp();
  }

  /** Reads what the turn has written so far and what was there before. */
  ReadCursor read(ReadRequest request) {
    return drafts.read(request);
  }

  /** An empty buffer for a mutation, until the next entry runs. */
  ByteWriter buffer() {
    return computed.clear();
  }

  /**
   * Adds a mutation, and to the drafts of the tables that are going to be read. The bytes are
   * copied.
   */
  void write(MemorySegment bytes, int length) {
    drafts.add(bytes, length, viewed, owner.hasMore());
    mutation.add(bytes, 0, length);
  }

  /**
   * Answers an entry, which has done its part, when the turn is durable: also if it wrote nothing,
   * since it may have read what others of the turn have written. At once if nobody has.
   */
  void answer(WriteEntry entry) {
    if (mutation.isEmpty()) {
      entry.durable(owner.begun());
    } else {
      entries.add(entry);
    }
  }

  /** Lets the entry that waits go on. */
  @Override
  public void run() {
    owner.goOn();
  }

  /** Writes what the entries have added; afterwards the turn is over. */
  void write() {
    if (mutation.isEmpty()) {
      over();
      return;
    }
    if (queues.haveViewsChanged(viewed)) {
      repeat(false);
      return;
    }
    ViewReads began = null;
    if (!viewed.isEmpty()) {
      for (TurnMutation.Table table : mutation.tables()) {
        BaseViews views = viewed.of(table.id());
        if (views != null) {
          began = began == null ? beginReads() : began;
          for (WriteEntry entry : entries) {
            queues.metrics().viewsWaited(table.id(), entry.waitedNanos());
          }
          ByteWriter written = table.entries();
          AffectedRows rows = new AffectedRows(written.segment(), 0, written.size());
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
   * The changes of views could not be computed. If that may be because of one of several entries,
   * each gets a turn of its own.
   */
  @Override
  public void failed(Exception cause) {
    if (cause instanceof CqlException && entries.size() > 1) {
      repeat(true);
    } else {
      onRefused(cause);
    }
  }

  @Override
  public void onDurable() {
    int size = owner.begun();
    for (WriteEntry entry : entries) {
      entry.durable(size);
    }
    over();
  }

  @Override
  public void onRefused(Exception cause) {
    if (cause instanceof WriteRefusedException refused
        && refused.reason() == WriteRefusedException.Reason.UNKNOWN_TABLE
        && viewed != queues.viewed()) {
      // a view was dropped while its changes were computed
      repeat(false);
      return;
    }
    for (WriteEntry entry : entries) {
      if (cause instanceof CqlException known) {
        entry.refused(known.error());
      } else {
        entry.notWritten(cause);
      }
    }
    over();
  }

  private void repeat(boolean oneByOne) {
    List<WriteEntry> repeated = List.copyOf(entries);
    clear();
    owner.over(repeated, oneByOne);
  }

  private void over() {
    clear();
    owner.over(List.of(), false);
  }

  private void clear() {
    entries.clear();
    mutation.clear();
    if (reads != null) {
      reads.end();
    }
    computed.clear(KEPT_BYTES);
    logged.clear(KEPT_BYTES);
    drafts.close();
  }
}
