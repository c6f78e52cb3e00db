package io.helenus.storage.nearest;

import io.helenus.storage.lookup.KeyList;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.vector.KeyListing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Lists the keys that another index finds, and the files in which each may be. Shard thread. */
final class ListedRows implements KeyList {
  private final KeyListing listing;
  private final List<Sstable> files;
  private final List<BitSet> inFiles = new ArrayList<>();

  /**
   * Lists keys.
   *
   * @param files those of rows, whose filters tell which of the keys they may have
   */
  ListedRows(KeyListing listing, List<Sstable> files) {
    this.listing = listing;
    this.files = files;
    files.forEach(file -> inFiles.add(new BitSet()));
  }

  @Override
  public void add(MemorySegment key, long offset, int length, int prefixLength) {
    int listed = listing.size();
    long hash = listing.add(key, offset, length, prefixLength);
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).mayContain(hash)) {
        inFiles.get(i).set(listed);
      }
    }
  }

  @Override
  public int size() {
    return listing.size();
  }

  @Override
  public int bytes() {
    return listing.bytes();
  }

  KeyListing listing() {
    return listing;
  }

  /** Which of the keys each of the files may have, by the order of listing. */
  List<BitSet> inFiles() {
    return inFiles;
  }
}
