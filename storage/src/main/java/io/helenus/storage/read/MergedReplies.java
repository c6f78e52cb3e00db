package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.reply.Replies;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data replies of replicas as a cursor reads memtables. Where the replies end, that read
 * waits as for a block, until the next replies are there. Shard thread only.
 */
public final class MergedReplies implements ReplicaMerge {
  private final ShardReads reads;
  private final TableSources sources;
  private final ReadRequest request;
  private final Replies replies;
  private final FollowUp followUp;
  private @Nullable ShardReadCursor cursor;
  private @Nullable MergedDifferences differences;
  private boolean waiting = true;
  private int rowsRead;
  private boolean closed;

  MergedReplies(ShardReads reads, TableSources sources, ReadRequest request, int replicas) {
    this.reads = reads;
    this.sources = sources;
    this.request = request;
    sources.retain();
    replies = reads.takeReplies();
    replies.begin(request.keys().isReversed(), replicas);
    followUp = new FollowUp(request);
  }

  @Override
  public ReadRequest nextRequest() {
    return followUp.request();
  }

  @Override
  public void replies(List<MemorySegment> segments) {
    closeDifferences();
    replies.take(segments, followUp.partition());
    waiting = false;
    if (cursor == null && !closed) {
      cursor = reads.openReplies(sources, request, replies.cursors());
    }
  }

  @Override
  public Status advance(RowSink sink) {
    ShardReadCursor current = cursor;
    if (waiting || current == null) {
      return Status.WAITING;
    }
    Status status = current.advance(sink);
    rowsRead = current.rowsRead();
    if (status == Status.WAITING) {
      waiting = true;
      ByteWriter from = replies.waitingFor();
      if (from == null) {
        throw new IllegalStateException("the merge waits for nothing");
      }
      followUp.goOn(from, replies.stopPrefix());
    }
    return status;
  }

  @Override
  public ReplicaDifferences differences(long epoch) {
    closeDifferences();
    MergedDifferences opened =
        new MergedDifferences(replies, request, sources, epoch, reads.segments());
    differences = opened;
    return opened;
  }

  private void closeDifferences() {
    if (differences != null) {
      differences.close();
      differences = null;
    }
  }

  @Override
  public int rowsRead() {
    return rowsRead;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeDifferences();
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
    reads.release(replies);
    sources.release();
  }
}
