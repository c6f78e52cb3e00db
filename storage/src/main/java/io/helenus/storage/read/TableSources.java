package io.helenus.storage.read;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.sstable.Sstable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memtables and files of a table on one shard at one moment. Immutable and reference-counted:
 * its members stay available while it is in use, so an open cursor keeps reading the state in which
 * it was opened. Shard thread.
 */
public final class TableSources {
  private final TableDescriptor table;
  private final Memtable[] memtables;
  private final Sstable[] files;
  private final DroppedColumns dropped;
  private final int[] multiCellColumns;
  private final List<IndexSources> indexes;
  private int users = 1;

  /** The same without indexes. */
  public TableSources(TableDescriptor table, List<Memtable> memtables, List<Sstable> files) {
    this(table, memtables, files, List.of());
  }

  /**
   * Retains the given memtables and files.
   *
   * @param memtables the active one first, then the frozen ones, newest first
   * @param indexes those that cover all memtables and files
   */
  public TableSources(
      TableDescriptor table,
      List<Memtable> memtables,
      List<Sstable> files,
      List<IndexSources> indexes) {
    this.table = table;
    this.indexes = List.copyOf(indexes);
    dropped = table.unreadableColumns();
    multiCellColumns = table.multiCellColumns();
    this.memtables = memtables.toArray(new Memtable[0]);
    this.files = files.toArray(new Sstable[0]);
    // newest data first, so that reads of one row can stop early
    Arrays.sort(
        this.files,
        (a, b) ->
            Long.compare(b.statistics().largestTimestamp(), a.statistics().largestTimestamp()));
    retainMembers();
  }

  /** The sources of another one with a newer memtable, without its indexes. */
  private TableSources(Memtable newest, TableSources others) {
    table = others.table;
    indexes = List.of();
    dropped = others.dropped;
    multiCellColumns = others.multiCellColumns;
    memtables = new Memtable[others.memtables.length + 1];
    memtables[0] = newest;
    System.arraycopy(others.memtables, 0, memtables, 1, others.memtables.length);
    files = others.files;
    retainMembers();
  }

  private void retainMembers() {
    for (Memtable memtable : memtables) {
      memtable.retain();
    }
    for (Sstable file : files) {
      file.retain();
    }
    indexes.forEach(IndexSources::retain);
  }

  /** What there is of an index; null if it does not cover all memtables and files. */
  public @Nullable IndexSources index(int indexId) {
    for (IndexSources index : indexes) {
      if (index.indexId() == indexId) {
        return index;
      }
    }
    return null;
  }

  /**
   * The same sources with a memtable that is newer than all of them. They have no indexes: a read
   * that names one looks at all rows.
   */
  public TableSources with(Memtable newest) {
    return new TableSources(newest, this);
  }

  /** The table as of this moment. */
  public TableDescriptor table() {
    return table;
  }

  DroppedColumns dropped() {
    return dropped;
  }

  /** Whether the table has columns with cells for elements. */
  public boolean hasMultiCellColumns() {
    return multiCellColumns.length > 0;
  }

  /** The ids of the multi-cell columns, ascending. */
  int[] multiCellColumns() {
    return multiCellColumns;
  }

  Memtable[] memtables() {
    return memtables;
  }

  Sstable[] files() {
    return files;
  }

  /** Adds a user. */
  public void retain() {
    if (users <= 0) {
      throw new IllegalStateException(
          "table " + table.id() + ": sources used after their last release");
    }
    users++;
  }

  /** Removes a user; the last one releases the members. */
  public void release() {
    users--;
    if (users == 0) {
      for (Memtable memtable : memtables) {
        memtable.release();
      }
      for (Sstable file : files) {
        file.release();
      }
      indexes.forEach(IndexSources::release);
    }
  }
}
