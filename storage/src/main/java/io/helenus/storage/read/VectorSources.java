package io.helenus.storage.read;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.index.vector.VectorFile;
import io.helenus.storage.index.vector.VectorSource;
import io.helenus.storage.memtable.VectorList;
import java.util.ArrayList;
import java.util.List;

/**
 * The vectors of an index. Immutable; the memory of the lists belongs to the memtables. Shard
 * thread.
 *
 * @param lists the vectors of the memtables
 * @param files those of the files
 * @param onDamage called when one of the files cannot be read
 */
public record VectorSources(
    IndexDescriptor index, List<VectorList> lists, List<VectorFile> files, Runnable onDamage)
    implements IndexSources {
  /** Copies. */
  public VectorSources {
    lists = List.copyOf(lists);
    files = List.copyOf(files);
  }

  @Override
  public int indexId() {
    return index.id();
  }

  /** All vectors as they are now, for one search. */
  List<VectorSource> now() {
    List<VectorSource> sources = new ArrayList<>(lists.size() + files.size());
    lists.forEach(list -> sources.add(list.run()));
    files.forEach(file -> sources.add(file.reader()));
    return sources;
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
