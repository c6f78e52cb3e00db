package io.helenus.storage.engine.local;

import io.helenus.storage.engine.TableDescriptor;
import java.util.List;

/** A table of one shard as its compactions see it. Shard thread only. */
interface CompactedTable {
  /** The table's description, with its compaction options. */
  TableDescriptor table();

  /** Whether the table was truncated or dropped since a job began. */
  TableLife life();

  /** The table's live files in this shard. */
  List<OpenFile> files();

  /** Whether a truncation is in progress: no compaction may start. */
  boolean isHeld();

  /** The smallest timestamp in any memtable, or Long.MAX_VALUE. */
  long smallestMemtableTimestamp();

  /** Replaces files that are no longer live with others, and releases them. */
  void replaceFiles(List<OpenFile> removed, List<OpenFile> added);
}
