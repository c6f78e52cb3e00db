package io.helenus.server.dump;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Formats keys, rows and deletions of one table: by type if its schema is known, otherwise as
 * bytes. Malformed bytes raise IndexOutOfBoundsException or IllegalArgumentException. One thread.
 */
final class EntryFields {
  private final @Nullable TableSchema table;
  private final @Nullable Function<byte[], Fields> batches;
  private final RowView row = new RowView();
  private final BoundView bound = new BoundView();
  private final ElementView element = new ElementView();

  /**
   * Creates a formatter for the entries of a table.
   *
   * @param table its schema; null if unknown
   * @param batches describes the value of a cell, if this is the batch log; otherwise null
   */
  EntryFields(@Nullable TableSchema table, @Nullable Function<byte[], Fields> batches) {
    this.table = table;
    this.batches = batches;
  }

  /** Decodes a key prefix: the token, if the partitioner uses one, and the partition key. */
  Fields partition(MemorySegment prefix) {
    Fields columns = new Fields();
    if (table != null && table.partitioner() == Partitioner.LOCAL) {
      components(prefix, 0, prefix.byteSize(), table.partitionKey(), columns);
      return new Fields().put("key", columns);
    }
    ByteWriter key = new ByteWriter(64);
    long end = KeyFormat.readPartitionKey(prefix, 0, key);
    if (end > prefix.byteSize()) {
      throw new IllegalArgumentException("unterminated partition key");
    }
    Fields fields = new Fields().put("token", KeyFormat.token(prefix, 0));
    if (table == null) {
      return putBytes(fields, "key", key.toArray());
    }
    if (table.partitionKey().size() == 1) {
      return fields.put("key", putTyped(columns, table.partitionKey().getFirst(), key.toArray()));
    }
    long at = 0;
    for (ColumnSchema column : table.partitionKey()) {
      int length = PartitionKeys.componentLength(key.segment(), at);
      columns = putTyped(columns, column, Bytes.toArray(key.segment(), at + 2, length));
      at = PartitionKeys.nextComponent(key.segment(), at);
    }
    return fields.put("key", columns);
  }

  /** The kind of an entry, from its key suffix. */
  static String kind(MemorySegment suffix) {
    return switch (Bytes.getByte(suffix, 0)) {
      case KeyFormat.SECTION_PARTITION_DELETION -> "partition deletion";
      case KeyFormat.SECTION_STATIC -> suffix.byteSize() == 1 ? "static row" : "static element";
      default ->
          switch (Bytes.getByte(suffix, suffix.byteSize() - 1)) {
            case KeyFormat.TAG_END -> "row";
            case KeyFormat.TAG_ELEMENT -> "element";
            default -> "bound";
          };
    };
  }

  private static boolean isElement(MemorySegment suffix) {
    return kind(suffix).endsWith("element");
  }

  /** Decodes the key suffix and the value of an entry of a file. */
  Fields entry(MemorySegment suffix, MemorySegment value) {
    if (!isElement(suffix)) {
      return clustering(suffix).putAll(value(suffix, value));
    }
    element.wrap(suffix, 0, (int) suffix.byteSize(), value, 0);
    row.wrap(value, element.rowOffset(), value.byteSize() - element.rowOffset());
    if (!row.nextCell()) {
      throw new IllegalArgumentException("an element without a cell");
    }
    Fields fields = clustering(suffix.asSlice(0, element.rowKeyLength()));
    return fields.put("cells", List.of(cell(element)));
  }

  /** The clustering values of a key suffix and the side of a bound; empty if it has neither. */
  Fields clustering(MemorySegment suffix) {
    Fields fields = new Fields();
    if (Bytes.getByte(suffix, 0) != KeyFormat.SECTION_ROWS) {
      return fields;
    }
    long end = suffix.byteSize() - 1;
    if (kind(suffix).equals("bound")) {
      boolean before = Bytes.getByte(suffix, end) == KeyFormat.TAG_BOUND_BEFORE;
      fields.put("bound", before ? "before" : "after");
    }
    Fields columns = new Fields();
    if (table != null) {
      components(suffix, 1, end, table.clusteringColumns(), columns);
    } else if (end > 1) {
      columns.put("bytes", Bytes.toArray(suffix, 1, end - 1));
    }
    return columns.values().isEmpty() ? fields : fields.put("clustering", columns);
  }

  private static void components(
      MemorySegment key, long from, long end, List<ColumnSchema> columns, Fields fields) {
    long at = from;
    ByteWriter value = new ByteWriter(64);
    for (ColumnSchema column : columns) {
      KeyEncoding encoding = column.type().keyEncoding();
      if (at >= end) {
        return;
      }
      if (encoding == null) {
        fields.put(column.name(), Bytes.toArray(key, at, end - at));
        return;
      }
      boolean isNull = KeyEncoding.isNull(key, at);
      at = encoding.read(key, at, column.descending(), value.clear());
      if (isNull) {
        fields.put(column.name(), "null");
      } else {
        putTyped(fields, column, value.toArray());
      }
    }
  }

  /** Decodes a deletion: its timestamp and its local deletion time. */
  static Fields deletion(MemorySegment value, long offset) {
    return deletion(
        Bytes.getLong(value, offset), Bytes.getInt(value, offset + Long.BYTES) & 0xFFFFFFFFL);
  }

  private static Fields deletion(long timestamp, long seconds) {
    return new Fields().putMicros("timestamp", timestamp).putSeconds("deleted_at", seconds);
  }

  /** Decodes the value of an entry with this key suffix. */
  Fields value(MemorySegment suffix, MemorySegment value) {
    return switch (kind(suffix)) {
      case "partition deletion" -> new Fields().put("deletion", deletion(value, 0));
      case "bound" -> bound(value);
      default -> row(value);
    };
  }

  private Fields bound(MemorySegment value) {
    bound.wrap(value, 0);
    Fields fields = new Fields();
    if (bound.closedTimestamp() != RowFormat.NO_TIMESTAMP) {
      fields.put("closes", deletion(bound.closedTimestamp(), bound.closedSeconds()));
    }
    if (bound.openedTimestamp() != RowFormat.NO_TIMESTAMP) {
      fields.put("opens", deletion(bound.openedTimestamp(), bound.openedSeconds()));
    }
    return fields;
  }

  private Fields row(MemorySegment value) {
    row.wrap(value, 0, value.byteSize());
    Fields fields = new Fields();
    if (row.hasLiveness()) {
      Fields liveness = new Fields().putMicros("timestamp", row.timestamp());
      if (row.isExpiring()) {
        liveness.put("ttl", row.ttl()).putSeconds("expires_at", row.expirySeconds());
      }
      fields.put("liveness", liveness);
    }
    if (row.hasDeletion()) {
      fields.put("deletion", deletion(row.deletionTimestamp(), row.deletionSeconds()));
    }
    List<Fields> cells = new ArrayList<>();
    while (row.nextCell()) {
      cells.add(cell(null));
    }
    return fields.put("cells", cells);
  }

  /** Decodes the row's current cell, which is that of an element if one is given. */
  private Fields cell(@Nullable ElementView of) {
    Fields fields = new Fields().put("column_id", row.column());
    ColumnSchema column = null;
    if (table != null) {
      column = column(table, row.column());
      fields.put("column", column == null ? droppedName(table, row.column()) : column.name());
    }
    int flags = row.cellFlags();
    fields.put("kind", kind(flags)).putMicros("timestamp", row.cellTimestamp());
    if (row.cellIsExpiring()) {
      fields.put("ttl", row.cellTtl()).putSeconds("expires_at", row.cellSeconds());
    }
    if (row.valueLength() < 0) {
      fields.putSeconds("deleted_at", row.cellSeconds());
    }
    if (row.pathLength() >= 0) {
      fields.put("path", Bytes.toArray(row.segment(), row.pathOffset(), row.pathLength()));
    } else if (of != null) {
      fields.put("path", Bytes.toArray(of.pathSegment(), of.pathOffset(), of.pathLength()));
    }
    if (row.valueLength() >= 0) {
      fields.put("bytes", row.valueLength());
      byte[] value = Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength());
      if (batches != null) {
        return fields.put("batch", batches.apply(value));
      }
      boolean whole = of == null && (flags & (RowFormat.CELL_PATH | RowFormat.CELL_COUNTER)) == 0;
      putValue(fields, column != null && whole ? column.type() : null, value);
    }
    return fields;
  }

  private static String kind(int flags) {
    if ((flags & RowFormat.CELL_COLUMN_DELETION) != 0) {
      return "column deletion";
    }
    if ((flags & RowFormat.CELL_TOMBSTONE) != 0) {
      return "tombstone";
    }
    if ((flags & RowFormat.CELL_COUNTER) != 0) {
      return "counter";
    }
    return (flags & RowFormat.CELL_KEY_FORM) != 0 ? "key form" : "value";
  }

  private static @Nullable ColumnSchema column(TableSchema table, int id) {
    for (ColumnSchema column : table.columns()) {
      if (column.id() == id) {
        return column;
      }
    }
    return null;
  }

  private static String droppedName(TableSchema table, int id) {
    for (DroppedColumn column : table.droppedColumns()) {
      if (column.id() == id) {
        return column.name() + " (dropped)";
      }
    }
    return "unknown";
  }

  private static Fields putTyped(Fields fields, ColumnSchema column, byte[] value) {
    String literal = literal(column.type(), value);
    return literal == null ? fields.put(column.name(), value) : fields.put(column.name(), literal);
  }

  private static void putValue(Fields fields, @Nullable CqlType type, byte[] value) {
    String literal = type == null ? null : literal(type, value);
    if (literal == null) {
      Fields ignored = putBytes(fields, "value", value);
      assert ignored == fields;
    } else {
      fields.put("value", literal);
    }
  }

  private static Fields putBytes(Fields fields, String name, byte[] value) {
    fields.put(name, value);
    String text = Texts.printable(value);
    return text == null ? fields : fields.put(name + "_text", text);
  }

  /** Formats a value as a CQL literal; returns null if its bytes are invalid for the type. */
  private static @Nullable String literal(CqlType type, byte[] value) {
    ByteWriter bytes = new ByteWriter(Math.max(1, value.length)).putBytes(value);
    try {
      type.validate(bytes.segment(), 0, value.length);
      return type.toLiteral(value);
    } catch (CqlException | IndexOutOfBoundsException | IllegalArgumentException invalid) {
      return null;
    }
  }
}
