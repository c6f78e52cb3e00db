package io.helenus.storage.read;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.row.DroppedColumns;
import io.helenus.storage.sstable.Sstable;
import java.util.Arrays;
import java.util.List;

/**
 * Where the rows of a table are on one shard, as of one moment: its memtables and files. Immutable;
 * its members stay as long as somebody uses it, so an open cursor goes on reading what was there
 * when it was opened. Counted on the shard's thread.
 */
public final class TableSources {
  private final TableDescriptor table;
  private final Memtable[] memtables;
  private final Sstable[] files;
  private final DroppedColumns dropped;
  private int users = 1;

  /** Retains its members. The active memtable comes first, then frozen ones, newest first. */
  public TableSources(TableDescriptor table, List<Memtable> memtables, List<Sstable> files) {
    this.table = table;
    dropped = table.droppedColumns();
    this.memtables = memtables.toArray(new Memtable[0]);
    this.files = files.toArray(new Sstable[0]);
    // newest data first, so that reads of one row can stop early
    Arrays.sort(
        this.files,
        (a, b) ->
            Long.compare(b.statistics().largestTimestamp(), a.statistics().largestTimestamp()));
    for (Memtable memtable : this.memtables) {
      memtable.retain();
    }
    for (Sstable file : this.files) {
      file.retain();
    }
  }

  /** What the table looked like. */
  public TableDescriptor table() {
    return table;
  }

  DroppedColumns dropped() {
    return dropped;
  }

  Memtable[] memtables() {
    return memtables;
  }

  Sstable[] files() {
    return files;
  }

  /** Counts a user more. */
  public void retain() {
    if (users <= 0) {
      throw new IllegalStateException("table " + table.id() + ": sources used after release");
    }
    users++;
  }

  /** Counts a user less; the last one releases the members. */
  public void release() {
    users--;
    if (users == 0) {
      for (Memtable memtable : memtables) {
        memtable.release();
      }
      for (Sstable file : files) {
        file.release();
      }
    }
  }
}
