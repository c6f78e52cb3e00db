package io.helenus.server.system;

import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableOptionsBuilder;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TypeText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Parses the lines of {@link Definitions}, with plain loops to keep start-up fast. One keyspace.
 */
final class DefinitionReader {
  private final String keyspace;
  private final String lines;
  private final List<TableSchema> tables = new ArrayList<>();
  private final Map<String, CqlType> types = new HashMap<>();
  private final Map<String, TableOptions> optionsByText = new HashMap<>();

  private DefinitionReader(String keyspace, String lines) {
    this.keyspace = keyspace;
    this.lines = lines;
  }

  /** Parses the tables of a keyspace. */
  static List<TableSchema> read(String keyspace, String lines) {
    return new DefinitionReader(keyspace, lines).read();
  }

  private List<TableSchema> read() {
    int position = 0;
    while (position < lines.length()) {
      int headEnd = lines.indexOf('#', position);
      int end = lines.indexOf('\n', headEnd + 1);
      TableSchemaBuilder table = table(lines.substring(position, headEnd));
      columns(lines.substring(headEnd + 1, end), table);
      tables.add(table.build());
      position = end + 1;
    }
    return tables;
  }

  private TableSchemaBuilder table(String head) {
    int afterName = head.indexOf('|');
    int afterId = head.indexOf('|', afterName + 1);
    int afterStorageId = head.indexOf('|', afterId + 1);
    int afterOrder = head.indexOf('|', afterStorageId + 1);
    int orderEnd = afterOrder < 0 ? head.length() : afterOrder;
    boolean byToken = head.startsWith("token", afterStorageId + 1);
    return new TableSchemaBuilder(
            keyspace,
            head.substring(0, afterName),
            UUID.fromString(head.substring(afterName + 1, afterId)),
            Integer.parseInt(head.substring(afterId + 1, afterStorageId)),
            options(head.substring(orderEnd)))
        .partitioner(byToken ? Partitioner.MURMUR3 : Partitioner.LOCAL);
  }

  private TableOptions options(String text) {
    TableOptions known = optionsByText.get(text);
    if (known == null) {
      TableOptionsBuilder options = new TableOptionsBuilder();
      int at = 1;
      while (at < text.length()) {
        int equals = text.indexOf('=', at);
        int bar = text.indexOf('|', at);
        int end = bar < 0 ? text.length() : bar;
        option(text.substring(at, equals), text.substring(equals + 1, end), options);
        at = end + 1;
      }
      known = options.build();
      optionsByText.put(text, known);
    }
    return known;
  }

  private static void option(String name, String value, TableOptionsBuilder options) {
    switch (name) {
      case "comment" -> options.comment(value);
      case "gc_grace_seconds" -> options.gcGraceSeconds(Integer.parseInt(value));
      case "default_time_to_live" -> options.defaultTimeToLiveSeconds(Integer.parseInt(value));
      case "memtable_flush_period_in_ms" ->
          options.memtableFlushPeriodMillis(Integer.parseInt(value));
      case "bloom_filter_fp_chance" ->
          options.bloomFilterFalsePositiveChance(Double.parseDouble(value));
      case "compaction" -> options.compaction(map(value));
      default -> throw new IllegalStateException("unknown option: " + name);
    }
  }

  private static TreeMap<String, String> map(String value) {
    TreeMap<String, String> map = new TreeMap<>();
    int at = 0;
    while (at < value.length()) {
      int comma = value.indexOf(',', at);
      int end = comma < 0 ? value.length() : comma;
      int colon = value.indexOf(':', at);
      map.put(value.substring(at, colon), value.substring(colon + 1, end));
      at = end + 1;
    }
    return map;
  }

  private void columns(String line, TableSchemaBuilder table) {
    int at = 0;
    while (at < line.length()) {
      int semicolon = line.indexOf(';', at);
      int end = semicolon < 0 ? line.length() : semicolon;
      int afterName = line.indexOf(' ', at);
      char kind = line.charAt(end - 1);
      table.add(
          line.substring(at, afterName),
          type(line.substring(afterName + 1, end - 2)),
          kind(kind),
          kind == 'd');
      at = end + 1;
    }
  }

  private static ColumnKind kind(char letter) {
    return switch (letter) {
      case 'p' -> ColumnKind.PARTITION_KEY;
      case 'c', 'd' -> ColumnKind.CLUSTERING;
      case 's' -> ColumnKind.STATIC;
      case 'r' -> ColumnKind.REGULAR;
      default -> throw new IllegalStateException("unknown kind of column: " + letter);
    };
  }

  private CqlType type(String name) {
    CqlType known = types.get(name);
    if (known == null) {
      CqlType scalar = ScalarType.named(name);
      known = scalar == null ? TypeText.parse(name) : scalar;
      types.put(name, known);
    }
    return known;
  }
}
