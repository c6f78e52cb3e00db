package io.helenus.server.view;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The changes of rows of views that follow from a write, by partition. One thread at a time. */
public final class ViewChanges {
  private final Map<Prefix, Partition> partitions = new LinkedHashMap<>();

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
    public boolean hasPrefix(MemorySegment segment, long offset, int length) {
      return length == prefix.length
          && Arrays.equals(Bytes.toArray(segment, offset, length), prefix);
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
    public void write(long epoch, ByteWriter out) {
      ByteWriter key = new ByteWriter(prefix.length).putBytes(prefix);
      MutationWriter writer = new MutationWriter(out);
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

    private MutationWriter rows(int tableId) {
      for (Table table : tables) {
        if (table.id == tableId) {
          return table.rows;
        }
      }
      Table table = new Table(tableId);
      tables.add(table);
      return table.rows;
    }
  }

  private static final class Table {
    private final int id;
    private final ByteWriter entries = new ByteWriter(256);
    private final MutationWriter rows = new MutationWriter(entries);

    Table(int id) {
      this.id = id;
    }
  }

  /** Where to write the changed rows of a view's partition. */
  MutationWriter rows(int tableId, long token, ByteWriter prefix) {
    byte[] bytes = prefix.toArray();
    return partitions
        .computeIfAbsent(new Prefix(bytes), ignored -> new Partition(token, bytes))
        .rows(tableId);
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
