package io.helenus.server.admin;

import io.helenus.server.config.HeapLimits;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.DroppedColumn;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.JsonRoom;
import io.helenus.server.types.JsonTree;
import io.helenus.server.types.JsonWriter;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.row.RowFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code manifest.json} says of a snapshot: Cassandra's fields, and in {@code table} what is
 * needed to interpret the files. Immutable.
 *
 * @param files the names of the SSTables
 * @param table the table, {@code keyspace.name}
 * @param id of the table
 * @param storageId the number of the table in the files
 * @param columns in the order of {@code SELECT *}
 */
record SnapshotManifest(
    List<String> files, String table, UUID id, int storageId, List<Column> columns) {
  /** The node has written the file; it names every SSTable of a table. */
  private static final HeapLimits UNLIMITED = new HeapLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * A column.
   *
   * @param id of its cells in the files
   * @param kind {@code partition_key}, {@code clustering}, {@code static} or {@code regular}
   * @param order {@code asc}, {@code desc} or {@code none}
   * @param type the class name of its type, in which user types are described
   * @param droppedAtMicros when it was dropped, before it was added again, or {@link
   *     RowFormat#NO_TIMESTAMP}
   */
  record Column(int id, String name, String kind, String order, String type, long droppedAtMicros) {
    static Column of(ColumnSchema column, TableSchema table) {
      DroppedColumn dropped = table.droppedColumn(column.name());
      return new Column(
          column.id(),
          column.name(),
          column.kind().cqlName(),
          column.clusteringOrder(),
          column.type().className(),
          dropped == null ? RowFormat.NO_TIMESTAMP : dropped.droppedAtMicros());
    }

    boolean isKey() {
      return kind.equals("partition_key") || kind.equals("clustering");
    }

    /** Its part in the table. */
    String role() {
      return order.equals("none") ? kind : kind + " " + order;
    }
  }

  /** Copies. */
  SnapshotManifest {
    files = List.copyOf(files);
    columns = List.copyOf(columns);
  }

  /** The text of the file. */
  static String text(List<String> names, TableSchema table, Instant created) {
    String files = names.stream().map(SnapshotManifest::quoted).collect(Collectors.joining(", "));
    StringBuilder text = new StringBuilder("{\n  \"files\" : [ ").append(files);
    text.append(names.isEmpty() ? "]" : " ]").append(",\n  \"created_at\" : \"").append(created);
    text.append("\",\n  \"expires_at\" : null,\n  \"ephemeral\" : false,\n  \"table\" : {\n");
    field("    ", "name", quoted(table.keyspace() + "." + table.name()), text).append(",\n");
    field("    ", "id", quoted(table.id().toString()), text).append(",\n");
    field("    ", "storage_id", Integer.toString(table.storageId()), text).append(",\n");
    text.append("    \"columns\" : [");
    String separator = "\n";
    for (ColumnSchema each : table.columns()) {
      Column column = Column.of(each, table);
      text.append(separator).append("      { ");
      field("", "id", Integer.toString(column.id()), text).append(", ");
      field("", "name", quoted(column.name()), text).append(", ");
      field("", "kind", quoted(column.kind()), text).append(", ");
      field("", "order", quoted(column.order()), text).append(", ");
      field("", "type", quoted(column.type()), text);
      if (column.droppedAtMicros() != RowFormat.NO_TIMESTAMP) {
        text.append(", ");
        field("", "dropped_at", Long.toString(column.droppedAtMicros()), text);
      }
      text.append(" }");
      separator = ",\n";
    }
    return text.append("\n    ]\n  }\n}\n").toString();
  }

  private static StringBuilder field(String indent, String name, String value, StringBuilder out) {
    return out.append(indent).append('"').append(name).append("\" : ").append(value);
  }

  private static String quoted(String text) {
    return JsonWriter.value(ScalarType.TEXT, WireValues.ofText(text));
  }

  /**
   * Parses the text.
   *
   * @param path of the file, for errors
   */
  static SnapshotManifest parse(String text, String path) throws IOException {
    try {
      Map<?, ?> all = map(JsonTree.parse(text, new JsonRoom(UNLIMITED)));
      if (!(all.get("table") instanceof Map<?, ?> table)) {
        throw new IOException(path + " does not describe the table: an older version wrote it");
      }
      List<String> files = new ArrayList<>();
      list(all.get("files")).forEach(each -> files.add(text(each)));
      List<Column> columns = new ArrayList<>();
      for (Object each : list(table.get("columns"))) {
        Map<?, ?> column = map(each);
        columns.add(
            new Column(
                number(column.get("id")),
                text(column.get("name")),
                text(column.get("kind")),
                text(column.get("order")),
                text(column.get("type")),
                droppedAt(column.get("dropped_at"))));
      }
      return new SnapshotManifest(
          files,
          text(table.get("name")),
          UUID.fromString(text(table.get("id"))),
          number(table.get("storage_id")),
          columns);
    } catch (JsonTree.MalformedException | IllegalArgumentException e) {
      throw new IOException(path + " is not the manifest of a snapshot: " + e.getMessage(), e);
    }
  }

  private static Map<?, ?> map(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw unexpected(value);
  }

  private static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw unexpected(value);
  }

  private static String text(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw unexpected(value);
  }

  private static int number(@Nullable Object value) {
    if (value instanceof Integer number) {
      return number;
    }
    throw unexpected(value);
  }

  /** Manifests written before this field do not have it. */
  private static long droppedAt(@Nullable Object value) {
    return switch (value) {
      case null -> RowFormat.NO_TIMESTAMP;
      case Integer number -> number;
      case Long number -> number;
      default -> throw unexpected(value);
    };
  }

  private static IllegalArgumentException unexpected(@Nullable Object value) {
    return new IllegalArgumentException("unexpected value " + value);
  }
}
