package io.helenus.storage.read;

/** What there is of an index for the memtables and files of {@link TableSources}. Shard thread. */
public interface IndexSources {
  /** The index. */
  int indexId();

  /** Adds a user of the files. */
  void retain();

  /** Removes a user of the files. */
  void release();
}
