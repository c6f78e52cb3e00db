package io.helenus.server.coordinator;

import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import org.jspecify.annotations.Nullable;

/**
 * The merge of what replicas have replied to a read, in time slices: first the rows, which go to
 * the sink, then what each replica lacks. Shard thread only.
 */
final class ReadMerge {
  private enum Status {
    MORE,
    DONE,
    STOPPED
  }

  private final Coordinator coordinator;
  private final ReplicatedRead read;
  private final ReplicaReplies replies;
  private final RowSink sink;
  private final Runnable advance = this::advance;

  private @Nullable ReplicaMerge merge;
  private @Nullable ReplicaDifferences differences;
  private Status status = Status.MORE;
  private int tableId;
  private long epoch;

  /** Whether keys are read, of which no replica lacks any. */
  private boolean keysOnly;

  ReadMerge(Coordinator coordinator, ReplicatedRead read, ReplicaReplies replies, RowSink sink) {
    this.coordinator = coordinator;
    this.read = read;
    this.replies = replies;
    this.sink = sink;
  }

  /** Begins with a range of tokens that have the same replicas. */
  void begin(ReadRequest part, int replicas) {
    tableId = part.tableId();
    merge = coordinator.replicas().merge(coordinator.shard(), part, replicas);
  }

  /** What replicas are asked next; null when the read is over. */
  @Nullable ReadRequest nextRequest() {
    ReplicaMerge open = merge;
    if (open == null) {
      return null;
    }
    ReadRequest next = open.nextRequest();
    keysOnly = next.lookup().isAny();
    return next;
  }

  /**
   * Merges what these replicas have replied.
   *
   * @param asOf the epoch as of which replicas are given what they lack
   */
  void start(int replied, long asOf) {
    ReplicaMerge open = merge;
    if (open != null) {
      epoch = asOf;
      replies.merge(replied, open);
      differences = null;
      advance();
    }
  }

  private void advance() {
    ReplicaMerge open = merge;
    if (open == null || read.isEnded()) {
      return;
    }
    try {
      if (advance(open)) {
        coordinator.shard().executeLast(advance);
      } else {
        read.merged(lacking());
      }
    } catch (Throwable e) {
      read.notMerged(coordinator.shard().fatal().contain(e));
    }
  }

  /** One time slice; returns whether another one follows. */
  private boolean advance(ReplicaMerge open) {
    if (differences == null) {
      switch (open.advance(sink)) {
        case YIELD -> {
          return true;
        }
        case WAITING -> status = Status.MORE;
        case DONE -> status = Status.DONE;
        case STOPPED -> status = Status.STOPPED;
      }
      if (replies.merging().length == 1 || keysOnly || !coordinator.repairs(tableId)) {
        return false;
      }
      differences = open.differences(epoch);
    }
    return differences.advance();
  }

  private int lacking() {
    ReplicaDifferences found = differences;
    if (found == null) {
      return 0;
    }
    int lacking = 0;
    int[] merging = replies.merging();
    for (int i = 0; i < merging.length; i++) {
      lacking |= found.count(i) > 0 ? 1 << merging[i] : 0;
    }
    return lacking;
  }

  /** What replicas lack of the rows merged last; null if it was not looked for. */
  @Nullable ReplicaDifferences differences() {
    return differences;
  }

  /** Whether nothing of the range is left, or the sink wants no more. */
  boolean isOver() {
    return status != Status.MORE;
  }

  /** Whether the sink wants no more. */
  boolean isStopped() {
    return status == Status.STOPPED;
  }

  int rowsRead() {
    ReplicaMerge open = merge;
    return open == null ? 0 : open.rowsRead();
  }

  void close() {
    ReplicaMerge open = merge;
    if (open != null) {
      open.close();
      merge = null;
    }
    differences = null;
  }
}
