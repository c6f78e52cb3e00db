package io.helenus.storage.engine.local;

import io.helenus.storage.manifest.Change;
import io.helenus.storage.memtable.Memtable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A memtable on its way into a file. Shard thread, but for its unchanging parts. */
final class FrozenMemtable {
  final Memtable memtable;
  final long bytes;

  /** The oldest log position that it needs. */
  final long firstPosition;

  /** Up to where the log must be on the disk before the file may be: files never know more. */
  final long endPosition;

  final long firstToken;
  final long lastToken;

  /** What is in files once this one is. */
  final List<Change> positions;

  private final List<Consumer<? super Exception>> waiters = new ArrayList<>();

  FrozenMemtable(
      Memtable memtable,
      long firstPosition,
      long endPosition,
      long firstToken,
      long lastToken,
      List<Change> positions) {
    this.memtable = memtable;
    this.bytes = memtable.memoryBytes();
    this.firstPosition = firstPosition;
    this.endPosition = endPosition;
    this.firstToken = firstToken;
    this.lastToken = lastToken;
    this.positions = List.copyOf(positions);
  }

  void whenFlushed(Consumer<? super Exception> waiter) {
    waiters.add(waiter);
  }

  /** Tells those who wait for the file. */
  void settle(@Nullable Exception failure) {
    List<Consumer<? super Exception>> told = List.copyOf(waiters);
    waiters.clear();
    for (Consumer<? super Exception> waiter : told) {
      waiter.accept(failure);
    }
  }
}
