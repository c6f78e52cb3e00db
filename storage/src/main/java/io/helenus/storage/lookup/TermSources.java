package io.helenus.storage.lookup;

import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.read.IndexSources;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.sstable.Sstable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of an index with terms for the memtables and files of {@link TableSources}. Immutable;
 * the memory of the trees belongs to the memtables. Shard thread.
 *
 * @param trees the entries of the memtables
 * @param files those of the files
 * @param onDamage called when one of the files cannot be read
 */
public record TermSources(int indexId, List<TermTree> trees, List<Sstable> files, Runnable onDamage)
    implements IndexSources {
  /** Copies. */
  public TermSources {
    trees = List.copyOf(trees);
    files = List.copyOf(files);
  }

  /** Those of an index; null if it has no terms or does not cover all memtables and files. */
  public static @Nullable TermSources of(TableSources sources, int indexId) {
    return sources.index(indexId) instanceof TermSources terms ? terms : null;
  }

  @Override
  public void retain() {
    files.forEach(Sstable::retain);
  }

  @Override
  public void release() {
    files.forEach(Sstable::release);
  }
}
