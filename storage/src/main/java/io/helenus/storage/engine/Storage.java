package io.helenus.storage.engine;

import java.util.List;
import java.util.function.Consumer;

/**
 * A node's storage: opens the folder, replays the log, yields one engine per shard. The calls with
 * a {@code whenDone} return at once and run it later, on the first shard's scheduler, with null or
 * the failure. Any thread unless said otherwise.
 */
public interface Storage extends AutoCloseable {
  /** The engine of each shard; each is used on its shard's thread only. */
  List<StorageEngine> engines();

  /**
   * New tables, as of a newer epoch. Mutations that name an id are refused until then. What was
   * dropped is forgotten: its memtables and files go. Returns when every shard has taken it: calls
   * back.
   */
  void tablesChanged(Tables tables, Consumer<? super Exception> whenDone);

  /**
   * Empties a table: durable before it calls back; what was written before is invisible from then
   * on, also after a replay of the log.
   *
   * @param recordIfEmpty whether the time of the truncation is recorded although there is nothing
   *     to remove, which costs a sync: where an older write may still arrive
   */
  void truncate(int tableId, boolean recordIfEmpty, Consumer<? super Exception> whenDone);

  /** Empties a table; the truncation of an empty table is not recorded. */
  default void truncate(int tableId, Consumer<? super Exception> whenDone) {
    truncate(tableId, false, whenDone);
  }

  /** Writes all memtables of a table (0: all tables) to files. */
  void flush(int tableId, Consumer<? super Exception> whenDone);

  /** Merges all files of a table (0: all tables) of each shard into one. */
  void compact(int tableId, Consumer<? super Exception> whenDone);

  /**
   * Reads every block of every file of a table (0: all tables) and tells what is wrong, naming file
   * and offset, on the thread that reads.
   */
  void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone);

  /** What there is of a table on this node, for system tables and the node tool. */
  TableStatistics statistics(int tableId);

  /** When a table was last truncated, in microseconds since 1970; 0 for never. Never blocks. */
  long truncatedAtMicros(int tableId);

  /** What is done beside the shards, and was. */
  StorageActivity activity();

  /**
   * Stops flushes and compactions, syncs the log, closes files. After the last tick; waits for
   * nothing but running I/O.
   */
  @Override
  void close();
}
