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
 * waits as for a block, until the next replies are there. If the first reply is the only one, as
 * long as all agree with it, its rows need no merge. Shard thread only.
 */
public final class MergedReplies implements ReplicaMerge {
  private final ShardReads reads;
  private final TableSources sources;
  private final ReadRequest request;
  private final int replicas;
  private final FollowUp followUp;

  /** The rows of a first reply that all agree with; null unless they are read, or have been. */
  private @Nullable AgreedRows agreed;

  private @Nullable Replies replies;
  private @Nullable ShardReadCursor cursor;
  private @Nullable MergedDifferences differences;
  private boolean waiting = true;
  private int rowsRead;
  private boolean closed;

  MergedReplies(ShardReads reads, TableSources sources, ReadRequest request, int replicas) {
    this.reads = reads;
    this.sources = sources;
    this.request = request;
    this.replicas = replicas;
    sources.retain();
    followUp = new FollowUp(request);
  }

  @Override
  public ReadRequest nextRequest() {
    return followUp.request();
  }

  @Override
  public void replies(List<MemorySegment> segments) {
    if (closed) {
      return;
    }
    closeDifferences();
    waiting = false;
    boolean isFirst = agreed == null && replies == null;
    if (isFirst && segments.size() == 1 && AgreedRows.suffice(request, sources)) {
      AgreedRows opened = reads.takeAgreedRows();
      agreed = opened;
      opened.begin(request, sources, segments.get(0));
      return;
    }
    Replies merged = merged();
    merged.take(segments, followUp.partition());
    if (cursor == null) {
      cursor = openCursor(merged);
    }
  }

  private Replies merged() {
    Replies present = replies;
    if (present == null) {
      present = reads.takeReplies();
      replies = present;
      present.begin(request.keys().isReversed(), replicas);
    }
    return present;
  }

  /** Opens the merge of the whole read, or of what follows the reply that all agreed with. */
  private ShardReadCursor openCursor(Replies merged) {
    AgreedRows before = agreed;
    if (before == null) {
      return reads.openReplies(sources, request, merged.cursors(), null);
    }
    // the cursor keeps it, while the follow-up changes
    ReadRequest rest = new ReadRequest().copy(followUp.request());
    before.end();
    return reads.openReplies(sources, rest, merged.cursors(), before.output());
  }

  @Override
  public Status advance(RowSink sink) {
    if (waiting) {
      return Status.WAITING;
    }
    ShardReadCursor current = cursor;
    Status status = current != null ? merge(current, sink) : pass(sink);
    waiting = status == Status.WAITING;
    return status;
  }

  private Status pass(RowSink sink) {
    AgreedRows current = agreed;
    if (current == null) {
      return Status.WAITING;
    }
    Status status = current.advance(sink);
    rowsRead = current.rowsRead();
    if (status == Status.WAITING) {
      followUp.goOn(current.position(), current.positionPrefix());
    }
    return status;
  }

  private Status merge(ShardReadCursor current, RowSink sink) {
    Status status = current.advance(sink);
    AgreedRows before = agreed;
    rowsRead = current.rowsRead() + (before == null ? 0 : before.rowsRead());
    if (status == Status.WAITING) {
      Replies merged = merged();
      ByteWriter from = merged.waitingFor();
      if (from == null) {
        throw new IllegalStateException("the merge waits for nothing");
      }
      followUp.goOn(from, merged.stopPrefix());
    }
    return status;
  }

  @Override
  public ReplicaDifferences differences(long epoch) {
    closeDifferences();
    MergedDifferences opened =
        new MergedDifferences(merged(), request, sources, epoch, reads.segments());
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
    if (replies != null) {
      reads.release(replies);
      replies = null;
    }
    if (agreed != null) {
      reads.release(agreed);
      agreed = null;
    }
    sources.release();
  }
}
