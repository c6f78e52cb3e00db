package io.helenus.server.replica;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.view.BaseViews;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of the build of a view in the queue of a partition: reads some rows of the base table and
 * writes what the view shows of them. Other writes of the partition wait meanwhile. It needs no
 * entry in the batch log, since a build that was interrupted is repeated. Shard thread only.
 */
final class BuildStep implements PartitionStep, Runnable {
  private static final byte[] END = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_AFTER};

  private final PartitionQueues queues;
  private final int baseId;
  private final int viewId;
  private final ByteWriter prefix;
  private final ByteWriter from;
  private final Consumer<BuildStep> whenEnded;
  private final RowsRead rows = new RowsRead();
  private final ReadRequest request = new ReadRequest();
  private final long nowSeconds;
  private @Nullable Runnable turn;
  private @Nullable ReadCursor cursor;
  private byte @Nullable [] resumeAt;
  private @Nullable Exception failure;

  /**
   * Prepares a step.
   *
   * @param fromSuffix the key suffix from which on rows are read
   */
  BuildStep(
      PartitionQueues queues,
      int baseId,
      int viewId,
      byte[] prefix,
      byte[] fromSuffix,
      Consumer<BuildStep> whenEnded) {
    this.queues = queues;
    this.baseId = baseId;
    this.viewId = viewId;
    this.prefix = new ByteWriter(prefix.length).putBytes(prefix);
    this.from = new ByteWriter(fromSuffix.length).putBytes(fromSuffix);
    this.whenEnded = whenEnded;
    nowSeconds = queues.clock().wallSeconds();
  }

  ByteWriter prefix() {
    return prefix;
  }

  /** Where the next step of the partition begins; null if there is none. */
  byte @Nullable [] resumeAt() {
    return resumeAt;
  }

  /** Why the step has to be repeated; null if it succeeded. */
  @Nullable Exception failure() {
    return failure;
  }

  @Override
  public void begin(Runnable turnEnd) {
    turn = turnEnd;
    rows.begin(true);
    run();
  }

  @Override
  public void run() {
    try {
      ReadCursor open = cursor;
      if (open == null) {
        request
            .reset(baseId, nowSeconds)
            .partition(prefix.segment(), 0, prefix.size())
            .addSlice(
                from.segment(), 0, from.size(), new ByteWriter(2).putBytes(END).segment(), 0, 2);
        open = queues.engine().read(request);
        cursor = open;
      }
      switch (open.advance(rows)) {
        case WAITING -> open.whenReady(this);
        case YIELD -> queues.shard().executeLast(this);
        case DONE -> write();
        case STOPPED -> {
          byte[] last = rows.lastKey();
          if (last != null) {
            last[last.length - 1] = KeyFormat.TAG_BOUND_AFTER;
            resumeAt =
                new ByteWriter(last.length + 1)
                    .putByte(KeyFormat.SECTION_ROWS)
                    .putBytes(last)
                    .toArray();
          }
          write();
        }
      }
    } catch (Throwable e) {
      end(queues.shard().fatal().contain(e));
    }
  }

  private void write() {
    close();
    BaseViews views = queues.viewed().of(baseId);
    ViewChanges changes = new ViewChanges();
    if (views != null) {
      views.partition(prefix.segment(), 0);
      for (int i = 0; i < rows.count(); i++) {
        views.addShown(viewId, rows.segment(), rows.keyOffset(i), rows.row(i), nowSeconds, changes);
      }
    }
    if (changes.isEmpty()) {
      end(null);
      return;
    }
    ViewChangesWrite.start(queues, changes, this::end);
  }

  private void close() {
    ReadCursor ended = cursor;
    cursor = null;
    if (ended != null) {
      ended.close();
    }
  }

  @Override
  public void refused(CqlError error) {
    end(new CqlException(error));
  }

  private void end(@Nullable Exception cause) {
    close();
    failure = cause;
    whenEnded.accept(this);
    Runnable over = turn;
    if (over != null) {
      over.run();
    }
  }
}
