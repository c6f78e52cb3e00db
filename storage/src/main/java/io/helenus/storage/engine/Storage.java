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
   * Applies the tables of a newer epoch: adds and changes tables, and removes the memtables and
   * files of dropped ones. Mutations of a new table are refused until its shard has applied the
   * change. Calls back when every shard has.
   */
  void tablesChanged(Tables tables, Consumer<? super Exception> whenDone);

  /**
   * Truncates tables together: earlier writes become invisible and stay so after a replay. The
   * truncation is durable when this calls back; after a crash all of the tables are truncated or
   * none.
   *
   * @param recordIfEmpty whether to record the time of the truncation even if the tables are empty,
   *     at the cost of a sync; needed if a write from before the truncation may still arrive
   */
  void truncate(
      List<Integer> tableIds, boolean recordIfEmpty, Consumer<? super Exception> whenDone);

  /**
   * The same for a truncation that all members of a cluster carry out. Its epoch is recorded with
   * it ({@link #truncationEpoch}). From then on, mutations of an earlier epoch have no effect on
   * the tables: they are logged and acknowledged as others.
   *
   * @param epoch above 0
   */
  void truncate(List<Integer> tableIds, long epoch, Consumer<? super Exception> whenDone);

  /** Truncates a table; if it is empty, nothing is recorded. */
  default void truncate(int tableId, Consumer<? super Exception> whenDone) {
    truncate(List.of(tableId), false, whenDone);
  }

  /** Flushes the memtables of a table (0: all tables). */
  void flush(int tableId, Consumer<? super Exception> whenDone);

  /**
   * Flushes the memtables before a stop, except small ones if there are so many of them that the
   * next start replays the commit log sooner than they can be flushed. Call after the last write.
   */
  void flushBeforeStop(Consumer<? super Exception> whenDone);

  /** Compacts all files of a table (0: all tables) into one per shard. */
  void compact(int tableId, Consumer<? super Exception> whenDone);

  /**
   * Links the files of a table into an existing empty folder below the data folder, under their
   * names; they stay as they are until they are deleted there. The links are durable when this
   * calls back.
   *
   * @param skipFlush whether writes that are not in files yet are left out
   */
  void snapshot(
      int tableId, String folder, boolean skipFlush, Consumer<? super Exception> whenDone);

  /**
   * Adds the contents of SSTables, with their timestamps and deletions, to a table with the same
   * columns, perhaps under other ids. The files are read and verified completely, and rewritten as
   * new files of this node, which become live in one edit of the manifest: after a crash, all or
   * nothing is there. Reads see each row either without or with what is added to it. The given
   * files stay as they are.
   */
  void load(int tableId, FilesToLoad files, Consumer<? super Exception> whenDone);

  /**
   * Finds the files of a table that contain anything of a partition, deletions included.
   *
   * @param prefix the key prefix of the partition
   * @param paths receives the path of each file in the file system, on an I/O thread
   */
  void findFiles(
      int tableId, byte[] prefix, Consumer<String> paths, Consumer<? super Exception> whenDone);

  /**
   * Reads every block of every file of a table (0: all tables) and reports damage with file and
   * offset, on a background thread.
   */
  void verify(int tableId, Consumer<String> problems, Consumer<? super Exception> whenDone);

  /** A table's statistics on this node. */
  TableStatistics statistics(int tableId);

  /** What was noted of a table's partitions when its files were written. Any thread. */
  PartitionNotes partitionNotes(int tableId);

  /**
   * Whether an index covers all data of its table on this node, so that reads can use it. Until
   * then a read that names it looks at all rows. Any thread.
   */
  boolean isIndexBuilt(int tableId, int indexId);

  /**
   * Calls back when an index is built ({@link #isIndexBuilt}), or with the reason why it is not
   * going to be for now: the index or the table was dropped, or the build failed and will be
   * retried later.
   */
  void whenIndexBuilt(int tableId, int indexId, Consumer<? super Exception> whenDone);

  /** The files of the indexes of a table, as far as they are built. Any thread. */
  List<IndexFile> indexFiles(int tableId);

  /** The searches of a table's indexes of vectors since the start. Any thread. */
  VectorSearchCounts vectorSearches(int tableId);

  /**
   * Builds an index again from the files of its table, which takes it out of use until that is
   * done.
   */
  void rebuildIndex(int tableId, int indexId, Consumer<? super Exception> whenDone);

  /** When a table was last truncated, in microseconds since 1970; 0 for never. Never blocks. */
  long truncatedAtMicros(int tableId);

  /**
   * The epoch of the last truncation of a table that all members of a cluster carry out, as far as
   * this node has; 0 for none. Never blocks.
   */
  long truncationEpoch(int tableId);

  /**
   * The size of the commit logs of earlier starts that have not been deleted, and of the log with
   * what is kept of them; the engines' statistics leave them out. Never blocks.
   */
  long oldLogBytes();

  /** The background work in progress and since start-up. */
  StorageActivity activity();

  /**
   * Stops flushes and compactions, syncs the commit log and closes all files. Must be called after
   * the last tick. Blocks until running I/O has ended.
   */
  @Override
  void close();
}
