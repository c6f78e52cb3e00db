package io.helenus.storage.local;

import io.helenus.storage.manifest.Change;
import io.helenus.storage.memtable.Memtable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A memtable that is waiting for its flush, or being flushed. Shard thread, except for its final
 * fields.
 */
final class FrozenMemtable {
  final Memtable memtable;
  final long bytes;

  /** The log position from which on the memtable needs the log. */
  final long firstPosition;

  /**
   * The log must be durable up to here before the SSTable may become live: an SSTable must not
   * contain writes that the durable part of the log does not.
   */
  final long endPosition;

  final long firstToken;
  final long lastToken;

  /** The log positions that the SSTable covers, to be committed with it. */
  final List<Change> positions;

  /**
   * The logs of earlier starts from which it has been replayed; null if it holds nothing of them.
   */
  final @Nullable OldLogs replayedFrom;

  private final List<Consumer<? super Exception>> waiters = new ArrayList<>();

  FrozenMemtable(
      Memtable memtable,
      long firstPosition,
      long endPosition,
      long firstToken,
      long lastToken,
      List<Change> positions,
      @Nullable OldLogs replayedFrom) {
    this.memtable = memtable;
    this.bytes = memtable.memoryBytes();
    this.firstPosition = firstPosition;
    this.endPosition = endPosition;
    this.firstToken = firstToken;
    this.lastToken = lastToken;
    this.positions = List.copyOf(positions);
    this.replayedFrom = replayedFrom;
  }

  /** Whether the memtable holds writes that might not be durable in the logs of earlier starts. */
  boolean waitsForOldLogs() {
    return replayedFrom != null && !replayedFrom.areDurable();
  }

  void whenFlushed(Consumer<? super Exception> waiter) {
    waiters.add(waiter);
  }

  /** Calls back the callers that wait for the flush. */
  void settle(@Nullable Exception failure) {
    List<Consumer<? super Exception>> notified = List.copyOf(waiters);
    waiters.clear();
    for (Consumer<? super Exception> waiter : notified) {
      waiter.accept(failure);
    }
  }
}
