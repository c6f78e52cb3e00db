package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.index.IndexFeed;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.run.EntryCursor;

/**
 * A sorted run of the entries of an index in native memory (storage/docs/index.md). Entries are
 * only added. One thread at a time; once nothing is added any more, several may read.
 */
public final class TermTree implements IndexFeed.Target {
  private final Slabs slabs;
  private final Records records;
  private final KeyTree tree;
  private final ByteWriter value = new ByteWriter(16);

  /** An empty run with memory of its own. */
  public TermTree(SlabPool pool) {
    this(new Slabs(pool));
  }

  private TermTree(Slabs slabs) {
    this(slabs, new Records(slabs));
  }

  /** An empty run in the memory of a memtable. */
  TermTree(Slabs slabs, Records records) {
    this.slabs = slabs;
    this.records = records;
    tree = new KeyTree(slabs, records);
  }

  @Override
  public void add(ByteWriter key, int prefixLength, int termLength) {
    if (tree.find(key.segment(), key.size()) == Slabs.NONE) {
      value.clear().putVarint(termLength);
      tree.insert(
          records.create(
              key.segment(),
              0,
              key.size(),
              prefixLength,
              value.size(),
              0,
              Slabs.NONE,
              value.segment(),
              0,
              value.size()));
    }
  }

  /** The number of entries. */
  public long size() {
    return tree.size();
  }

  /** The memory that it takes; that of the whole memtable if it is in one. */
  public long memoryBytes() {
    return slabs.bytes();
  }

  /** A cursor over the entries; also while entries are added. */
  public EntryCursor cursor() {
    MemtableCursor cursor = new MemtableCursor();
    cursor.open(tree, records, false, false, Snapshots.ALL);
    return cursor;
  }

  /** Releases the memory, unless it is that of a memtable. */
  public void free() {
    slabs.free();
  }
}
