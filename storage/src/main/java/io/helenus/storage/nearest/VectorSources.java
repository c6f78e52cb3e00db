package io.helenus.storage.nearest;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.VectorSearchCounts;
import io.helenus.storage.memtable.VectorList;
import io.helenus.storage.read.IndexSources;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.vector.NearestSearch;
import io.helenus.storage.vector.VectorFile;
import io.helenus.storage.vector.VectorSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of an index. Immutable; the memory of the lists belongs to the memtables. Shard
 * thread.
 *
 * @param lists the vectors of the memtables
 * @param files those of the files
 * @param rows the files of rows to which these belong, one each, which are retained with the table
 * @param onSearched called after a search with what it has done
 * @param onDamage called when one of the files cannot be read
 */
public record VectorSources(
    IndexDescriptor index,
    List<VectorList> lists,
    List<VectorFile> files,
    List<Sstable> rows,
    Consumer<VectorSearchCounts> onSearched,
    Runnable onDamage)
    implements IndexSources {
  /** Copies. */
  public VectorSources {
    lists = List.copyOf(lists);
    files = List.copyOf(files);
    rows = List.copyOf(rows);
  }

  /** Those of an index; null if it has no vectors or does not cover all memtables and files. */
  public static @Nullable VectorSources of(TableSources sources, int indexId) {
    return sources.index(indexId) instanceof VectorSources vectors ? vectors : null;
  }

  @Override
  public int indexId() {
    return index.id();
  }

  /** All vectors as they are now, for one read. */
  List<VectorSource> now() {
    List<VectorSource> sources = new ArrayList<>(lists.size() + files.size());
    lists.forEach(list -> sources.add(list.run()));
    files.forEach(file -> sources.add(file.reader()));
    return sources;
  }

  /**
   * Which of these vectors a search looks at.
   *
   * @param listed the listed rows that each file may have; empty if it may have any
   */
  List<NearestSearch.Part> parts(List<VectorSource> vectors, List<BitSet> listed) {
    List<NearestSearch.Part> parts = new ArrayList<>(vectors.size());
    for (int i = 0; i < vectors.size(); i++) {
      int file = i - lists.size();
      BitSet ofFile = file < 0 || listed.isEmpty() ? null : listed.get(file);
      parts.add(new NearestSearch.Part(vectors.get(i), ofFile));
    }
    return parts;
  }

  @Override
  public void retain() {
    files.forEach(VectorFile::retain);
  }

  @Override
  public void release() {
    files.forEach(VectorFile::release);
  }
}
