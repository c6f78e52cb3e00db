package io.helenus.storage.read;

import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.sstable.Sstable;
import java.util.List;

/**
 * The runs of an index for the memtables and files of {@link TableSources}. Immutable; the memory
 * of the trees belongs to the memtables. Shard thread.
 *
 * @param trees the entries of the memtables
 * @param files those of the files
 * @param onDamage called when one of the files cannot be read
 */
public record IndexSources(
    int indexId, List<TermTree> trees, List<Sstable> files, Runnable onDamage) {
  /** Copies. */
  public IndexSources {
    trees = List.copyOf(trees);
    files = List.copyOf(files);
  }

  void retain() {
    files.forEach(Sstable::retain);
  }

  void release() {
    files.forEach(Sstable::release);
  }
}
