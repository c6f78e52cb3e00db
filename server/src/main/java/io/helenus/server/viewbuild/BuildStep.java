package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.replica.PartitionStep;
import io.helenus.server.replica.RowsRead;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.view.BaseViews;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of the build of a view in the queue of a partition: reads some rows of the base table and
 * writes what the view shows of them. Other writes of the partition wait meanwhile. It needs no
 * entry in the batch log, since a build that was interrupted is repeated. Shard thread only.
 */
final class BuildStep implements PartitionStep, ReplicaAccess.ReadReply {
  private static final byte[] END = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_AFTER};

  private final ReplicaAccess replica;
  private final ShardReplica part;
  private final int baseId;
  private final int viewId;
  private final ByteWriter prefix;
  private final ByteWriter from;
  private final Consumer<BuildStep> whenEnded;
  private final RowsRead rows = new RowsRead();
  private final ReadRequest request = new ReadRequest();
  private final long nowSeconds;
  private @Nullable Runnable turn;
  private byte @Nullable [] resumeAt;
  private @Nullable Exception failure;

  /**
   * Prepares a step.
   *
   * @param part of the shard of the partition
   * @param fromSuffix the key suffix from which on rows are read
   */
  BuildStep(
      ReplicaAccess replica,
      ShardReplica part,
      long nowSeconds,
      int baseId,
      int viewId,
      byte[] prefix,
      byte[] fromSuffix,
      Consumer<BuildStep> whenEnded) {
    this.replica = replica;
    this.part = part;
    this.nowSeconds = nowSeconds;
    this.baseId = baseId;
    this.viewId = viewId;
    this.prefix = new ByteWriter(prefix.length).putBytes(prefix);
    this.from = new ByteWriter(fromSuffix.length).putBytes(fromSuffix);
    this.whenEnded = whenEnded;
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
    request
        .reset(baseId, nowSeconds)
        .partition(prefix.segment(), 0, prefix.size())
        .addSlice(from.segment(), 0, from.size(), new ByteWriter(2).putBytes(END).segment(), 0, 2);
    part.read(part.shard(), request, rows, this);
  }

  @Override
  public void read(boolean stopped, int rowsRead, int tombstones, long nanos) {
    try {
      byte[] last = stopped ? rows.lastKey() : null;
      if (last != null) {
        last[last.length - 1] = KeyFormat.TAG_BOUND_AFTER;
        resumeAt =
            new ByteWriter(last.length + 1)
                .putByte(KeyFormat.SECTION_ROWS)
                .putBytes(last)
                .toArray();
      }
      write();
    } catch (Throwable e) {
      end(part.shard().fatal().contain(e));
    }
  }

  @Override
  public void notRead(Exception cause) {
    end(cause);
  }

  private void write() {
    BaseViews views = part.views(baseId);
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
    ViewChangesWrite.start(replica, part.shard(), changes, this::end);
  }

  @Override
  public void refused(CqlError error) {
    end(new CqlException(error));
  }

  private void end(@Nullable Exception cause) {
    failure = cause;
    whenEnded.accept(this);
    Runnable over = turn;
    if (over != null) {
      over.run();
    }
  }
}
