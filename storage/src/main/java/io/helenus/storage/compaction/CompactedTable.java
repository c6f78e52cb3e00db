package io.helenus.storage.compaction;

import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.job.OpenFile;
import io.helenus.storage.job.TableLifecycle;
import java.util.List;

/** A table of one shard as its compactions see it. Shard thread only. */
public interface CompactedTable {
  /** The table's description, with its compaction options. */
  TableDescriptor table();

  /** Records truncations and the drop of the table, which a running job must notice. */
  TableLifecycle lifecycle();

  /** The table's live files in this shard. */
  List<OpenFile> files();

  /** Whether a truncation is in progress: no compaction may start. */
  boolean isTruncating();

  /** The smallest timestamp in any memtable, or Long.MAX_VALUE. */
  long smallestMemtableTimestamp();

  /** Replaces files that are no longer live with others, and releases them. */
  void replaceFiles(List<OpenFile> removed, List<OpenFile> added);
}
