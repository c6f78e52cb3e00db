package io.helenus.storage.local;

import io.helenus.storage.engine.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shard's tables by id, in a hash table whose lookups allocate nothing. Shard thread only. */
final class TableStores {
  private @Nullable TableStore[] slots = new @Nullable TableStore[16];
  private final List<TableStore> all = new ArrayList<>();

  @Nullable TableStore get(int tableId) {
    int mask = slots.length - 1;
    int slot = mix(tableId) & mask;
    while (true) {
      TableStore store = slots[slot];
      if (store == null || store.tableId() == tableId) {
        return store;
      }
      slot = slot + 1 & mask;
    }
  }

  /** The store of a table that must exist. */
  TableStore existing(int tableId) {
    TableStore store = get(tableId);
    if (store == null) {
      throw new StorageException("no table with id " + tableId);
    }
    return store;
  }

  private static int mix(int id) {
    return id * 0x9E3779B9 >>> 8;
  }

  void add(TableStore store) {
    all.add(store);
    if (all.size() * 2 > slots.length) {
      rebuild();
    } else {
      place(store);
    }
  }

  void remove(TableStore store) {
    if (all.remove(store)) {
      rebuild();
    }
  }

  private void rebuild() {
    int size = Math.max(16, Integer.highestOneBit(Math.max(1, all.size())) * 4);
    slots = new @Nullable TableStore[size];
    all.forEach(this::place);
  }

  private void place(TableStore store) {
    int mask = slots.length - 1;
    int slot = mix(store.tableId()) & mask;
    while (slots[slot] != null) {
      slot = slot + 1 & mask;
    }
    slots[slot] = store;
  }

  /** The table with the largest memtable, except those that are being truncated. */
  @Nullable TableStore largest() {
    TableStore largest = null;
    for (TableStore store : all) {
      if (!store.isTruncating()
          && (largest == null || store.active().bytes() > largest.active().bytes())) {
        largest = store;
      }
    }
    return largest;
  }

  /** Whether all memtables have been flushed. */
  boolean isAllFlushed() {
    for (TableStore store : all) {
      if (!store.isFlushed()) {
        return false;
      }
    }
    return true;
  }

  /** The log position from which on some memtable needs the log. */
  long neededPosition() {
    long needed = Long.MAX_VALUE;
    for (TableStore store : all) {
      needed = Math.min(needed, store.neededPosition());
    }
    return needed;
  }

  /** All tables in the order they were added. Must not be modified. */
  List<TableStore> all() {
    return all;
  }
}
