package io.helenus.server.replica;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mutations of one turn of a partition, collected to one mutation. Shard thread only; reusable.
 */
final class TurnMutation {
  private static final int KEPT_BYTES = 8 << 10;

  private final MutationView view = new MutationView();
  private final List<Table> tables = new ArrayList<>(1);
  private final ByteWriter key = new ByteWriter(64);
  private byte[] prefix = {};

  /** A table of an earlier turn, with its buffer. */
  private @Nullable Table spare;

  private long token;
  private long epoch;

  /** The entries of a table, in the order in which they were added. */
  static final class Table {
    private final ByteWriter entries = new ByteWriter(256);
    private int id;

    int id() {
      return id;
    }

    ByteWriter entries() {
      return entries;
    }
  }

  /** Adds the entries of a mutation. */
  void add(MemorySegment mutation, long offset, int length) {
    view.wrap(mutation, offset, length);
    if (tables.isEmpty()) {
      prefix = Bytes.toArray(view.segment(), view.prefixOffset(), view.prefixLength());
      key.clear().putBytes(prefix);
      token = view.token();
      epoch = view.epoch();
    }
    epoch = Math.max(epoch, view.epoch());
    while (view.nextTable()) {
      table(view.tableId())
          .entries
          .putBytes(view.segment(), view.entriesOffset(), view.entriesLength());
    }
  }

  private Table table(int id) {
    for (Table table : tables) {
      if (table.id == id) {
        return table;
      }
    }
    Table added = spare == null ? new Table() : spare;
    spare = null;
    added.id = id;
    tables.add(added);
    return added;
  }

  /** The tables that are changed. */
  List<Table> tables() {
    return tables;
  }

  /** The key prefix of the partition, which must not be modified. */
  byte[] prefix() {
    return prefix;
  }

  /** The key prefix of the partition; until the next turn. */
  ByteWriter key() {
    return key;
  }

  long token() {
    return token;
  }

  long epoch() {
    return epoch;
  }

  /** The size of the entries. */
  int size() {
    int size = 0;
    for (Table table : tables) {
      size += table.entries.size();
    }
    return size;
  }

  /** Writes the mutation up to the end of its tables; others may follow before it is finished. */
  void write(MutationWriter writer) {
    writer.begin(token, epoch, key.segment(), 0, prefix.length);
    for (Table table : tables) {
      writer.beginTable(table.id);
      writer.entries(table.entries.segment(), 0, table.entries.size()).endTable();
    }
  }

  boolean isEmpty() {
    return tables.isEmpty();
  }

  void clear() {
    if (!tables.isEmpty()) {
      spare = tables.getFirst();
      spare.entries.clear(KEPT_BYTES);
    }
    tables.clear();
  }
}
