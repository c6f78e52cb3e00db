package io.helenus.server.view;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes of rows of views that follow from a write, by partition. One thread at a time;
 * reusable.
 */
public final class ViewChanges {
  private static final int KEPT_TABLES = 8;
  private static final int KEPT_BYTES = 2 << 10;

  private final Map<Prefix, Partition> partitions = new LinkedHashMap<>();

  /** Tables that were cleared, with their buffers. */
  private final ArrayDeque<Table> free = new ArrayDeque<>();

  private record Prefix(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Prefix(byte[] otherBytes) && Arrays.equals(bytes, otherBytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /** The changes of one partition, in one or more views. */
  public static final class Partition {
    private final long token;
    private final byte[] prefix;
    private final List<Table> tables = new ArrayList<>();

    private Partition(long token, byte[] prefix) {
      this.token = token;
      this.prefix = prefix;
    }

    /** The token of the partition. */
    public long token() {
      return token;
    }

    /** Whether it has this key prefix. */
    public boolean hasPrefix(byte[] other) {
      return Arrays.equals(prefix, other);
    }

    /** Whether they are all of one view. */
    public boolean isOfOneView() {
      return tables.size() == 1;
    }

    /** The same changes, those of each view by themselves. */
    public List<Partition> split() {
      List<Partition> parts = new ArrayList<>();
      for (Table table : tables) {
        Partition part = new Partition(token, prefix);
        part.tables.add(table);
        parts.add(part);
      }
      return parts;
    }

    /** Appends the changes as a mutation planned under a metadata epoch. */
    public void write(long epoch, MutationWriter writer) {
      ByteWriter key = new ByteWriter(prefix.length).putBytes(prefix);
      writer.begin(token, epoch, key.segment(), 0, prefix.length);
      writeTables(writer);
      writer.finish();
    }

    /** Appends the changes to a mutation of the same partition. */
    public void writeTables(MutationWriter writer) {
      for (Table table : tables) {
        writer.beginTable(table.id);
        writer.entries(table.entries.segment(), 0, table.entries.size()).endTable();
      }
    }

    private @Nullable Table table(int tableId) {
      for (Table table : tables) {
        if (table.id == tableId) {
          return table;
        }
      }
      return null;
    }
  }

  private static final class Table {
    private int id;
    private final ByteWriter entries = new ByteWriter(256);
    private final MutationWriter rows = new MutationWriter(entries);
  }

  /** Where to write the changed rows of a view's partition. */
  MutationWriter rows(int tableId, long token, ByteWriter prefix) {
    byte[] bytes = prefix.toArray();
    Partition partition =
        partitions.computeIfAbsent(new Prefix(bytes), ignored -> new Partition(token, bytes));
    Table table = partition.table(tableId);
    if (table == null) {
      table = free.isEmpty() ? new Table() : free.removeLast();
      table.id = tableId;
      partition.tables.add(table);
    }
    return table.rows;
  }

  /** Forgets the changes; partitions that were returned must no longer be used. */
  public void clear() {
    for (Partition partition : partitions.values()) {
      for (Table table : partition.tables) {
        if (free.size() < KEPT_TABLES) {
          table.entries.clear(KEPT_BYTES);
          free.addLast(table);
        }
      }
    }
    partitions.clear();
  }

  /** The changed partitions. */
  public List<Partition> partitions() {
    return List.copyOf(partitions.values());
  }

  /** Whether nothing changes. */
  public boolean isEmpty() {
    return partitions.isEmpty();
  }

  /** The size of all changes. */
  public long bytes() {
    long bytes = 0;
    for (Partition partition : partitions.values()) {
      bytes += partition.prefix.length;
      for (Table table : partition.tables) {
        bytes += table.entries.size();
      }
    }
    return bytes;
  }
}
