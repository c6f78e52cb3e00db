package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the slice of the batch log that a shard serves page by page for entries that are not in
 * memory. Shard thread only.
 */
final class BatchLogScan {
  private static final Logger LOG = LoggerFactory.getLogger(BatchLogScan.class);

  /** Appended to a partition's key prefix, sorts after every key of the partition. */
  private static final int AFTER_PARTITION = 0xFF;

  private final Shard shard;
  private final ReplicaAccess replicas;
  private ByteWriter from = new ByteWriter(64);
  private RunningRead reading = RunningRead.ENDED;
  private boolean active;

  BatchLogScan(Shard shard, ReplicaAccess replicas) {
    this.shard = shard;
    this.replicas = replicas;
  }

  /** Whether there are pages left. */
  boolean isActive() {
    return active;
  }

  /** Cancels the read in progress; its page is never passed on. */
  void cancel() {
    reading.cancel();
  }

  /** Starts from the beginning. */
  void restart() {
    active = true;
    from = new ByteWriter(64);
  }

  /**
   * Reads up to {@code limit} ids. A page that cannot be read is passed on as empty and retried by
   * the next call.
   */
  void nextPage(int limit, Consumer<List<BatchId>> whenRead) {
    ReadRequest request = new ReadRequest().reset(BatchLog.TABLE_ID, 0);
    request.partitions(from.segment(), 0, from.size(), from.segment(), 0, 0);
    Page page = new Page(limit);
    TokenSlices.Slice own = replicas.slices().of(shard);
    reading =
        replicas.read(
            shard,
            own.first(),
            own.last(),
            request,
            page,
            new ReplicaAccess.ReadReply() {
              @Override
              public void read(boolean stopped, int rows, int tombstones, long nanos) {
                active = stopped;
                from = page.end;
                whenRead.accept(page.ids);
              }

              @Override
              public void notRead(Exception cause) {
                LOG.error("Cannot read the batch log", cause);
                whenRead.accept(List.of());
              }
            });
  }

  /** The ids of one page, and the start of the next. */
  private static final class Page implements RowSink {
    private final int limit;
    private final List<BatchId> ids = new ArrayList<>();
    private ByteWriter end = new ByteWriter(64);

    Page(int limit) {
      this.limit = limit;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      if (ids.size() == limit) {
        return Next.STOP;
      }
      end = new ByteWriter(length + 1).putBytes(prefix, offset, length).putByte(AFTER_PARTITION);
      try {
        ids.add(BatchId.ofPrefix(prefix, offset));
      } catch (IllegalArgumentException e) {
        LOG.warn(
            "Skipping a batch log entry with the malformed key {}; it stays in the batch log",
            java.util.HexFormat.of().formatHex(Bytes.toArray(prefix, offset, length)));
      }
      return Next.SKIP_PARTITION;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      return Next.CONTINUE;
    }
  }
}
