package io.helenus.storage.engine;

import java.util.List;
import java.util.function.Consumer;

/**
 * A node's storage, with one engine per shard. Methods with a {@code whenDone} return at once and
 * call it later, on the first shard's scheduler, with null or the failure. Any thread.
 */
public interface Storage extends AutoCloseable {
  /** The engines by shard; each is used only on its shard's thread. */
  List<StorageEngine> engines();

  /**
   * Takes the tables of a newer epoch. Mutations that name a new table are refused until then; the
   * memtables and files of dropped tables are removed. Calls back when every shard has taken the
   * change.
   */
  void tablesChanged(Tables tables, Consumer<? super Exception> whenDone);

  /**
   * Truncates a table: earlier writes are invisible from then on, also after a replay. Durable
   * before it calls back.
   *
   * @param recordIfEmpty whether the time of the truncation is recorded although there is nothing
   *     to remove, which costs a sync: where an older write may still arrive
   */
  void truncate(int tableId, boolean recordIfEmpty, Consumer<? super Exception> whenDone);

  /** Empties a table; the truncation of an empty table is not recorded. */
  default void truncate(int tableId, Consumer<? super Exception> whenDone) {
    truncate(tableId, false, whenDone);
  }

  /** Flushes the memtables of a table (0: all tables). */
  void flush(int tableId, Consumer<? super Exception> whenDone);

  /** Compacts all files of a table (0: all tables) into one per shard. */
  void compact(int tableId, Consumer<? super Exception> whenDone);

  /**
   * Reads every block of every file of a table (0: all tables) and reports damage with file and
   * offset, on a background thread.
   */
  void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone);

  /** A table's statistics on this node. */
  TableStatistics statistics(int tableId);

  /** When a table was last truncated, in microseconds since 1970; 0 for never. Never blocks. */
  long truncatedAtMicros(int tableId);

  /** Background work in progress and done. */
  StorageActivity activity();

  /**
   * Stops flushes and compactions, syncs the commit log and closes all files. After the last tick.
   * Waits only for running I/O.
   */
  @Override
  void close();
}
