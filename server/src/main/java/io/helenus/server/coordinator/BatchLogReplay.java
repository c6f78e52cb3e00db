package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes, at a start, the logged batches that the last run had begun: of each shard's part of
 * the batch log every mutation is applied again, then the entry is removed. Runs on one shard's
 * thread.
 */
public final class BatchLogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(BatchLogReplay.class);

  private final Shard shard;
  private final int shardCount;
  private final ReplicaAccess replicas;
  private final BatchLog batchLog;
  private final long nowSeconds;
  private final Runnable whenDone;
  private final Queue<Entry> entries = new ArrayDeque<>();
  private int nextShard;

  /** One batch: where its entry lies, and its mutations. */
  private record Entry(long token, byte[] prefix, Queue<byte[]> mutations) {}

  /** A replay that calls back on this shard when all is done. */
  public BatchLogReplay(
      Shard shard,
      int shardCount,
      ReplicaAccess replicas,
      BatchLog batchLog,
      long nowSeconds,
      Runnable whenDone) {
    this.shard = shard;
    this.shardCount = shardCount;
    this.replicas = replicas;
    this.batchLog = batchLog;
    this.nowSeconds = nowSeconds;
    this.whenDone = whenDone;
  }

  /** Begins; on the shard's thread. */
  public void start() {
    if (nextShard == shardCount) {
      applyNext();
      return;
    }
    ReadRequest request = new ReadRequest().reset(BatchLog.TABLE_ID, nowSeconds);
    replicas.read(
        shard,
        nextShard,
        request,
        new Collector(),
        new ReplicaAccess.ReadReply() {
          @Override
          public void read(boolean stopped, int rows, int tombstones, long nanos) {
            nextShard++;
            start();
          }

          @Override
          public void notRead(Exception cause) {
            LOG.error("the batch log of shard {} cannot be read", nextShard, cause);
            nextShard++;
            start();
          }
        });
  }

  private void applyNext() {
    Entry entry = entries.peek();
    if (entry == null) {
      whenDone.run();
      return;
    }
    byte[] mutation = entry.mutations.poll();
    if (mutation == null) {
      entries.remove();
      LOG.info("completed a logged batch that the last run had begun");
      ByteWriter removal = new ByteWriter(128);
      batchLog.putRemoval(entry.token, entry.prefix, removal);
      write(entry.token, removal);
      return;
    }
    ByteWriter bytes = new ByteWriter(mutation.length);
    bytes.putBytes(mutation);
    write(Bytes.getLong(bytes.segment(), 0), bytes);
  }

  private void write(long token, ByteWriter mutation) {
    replicas.write(
        shard,
        token,
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            applyNext();
          }

          @Override
          public void notWritten(Exception cause) {
            LOG.warn("a part of a logged batch is left out: {}", cause.getMessage());
            applyNext();
          }
        });
  }

  /** Copies what a shard's part of the batch log holds. */
  private final class Collector implements RowSink {
    private byte[] prefix = new byte[0];
    private long token;

    @Override
    public Next partition(MemorySegment key, long offset, int length) {
      prefix = Bytes.toArray(key, offset, length);
      token = KeyFormat.token(key, offset);
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      row.rewind();
      while (row.nextCell()) {
        if (row.column() == BatchLog.COLUMN_ID && row.cellIsLive(nowSeconds)) {
          entries.add(
              new Entry(
                  token,
                  prefix,
                  new ArrayDeque<>(
                      BatchLog.mutations(row.segment(), row.valueOffset(), row.valueLength()))));
        }
      }
      return Next.CONTINUE;
    }
  }
}
