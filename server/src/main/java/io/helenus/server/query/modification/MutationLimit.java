package io.helenus.server.query.modification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Rejects mutations above {@code max_mutation_size}, by Cassandra's measure and with its error
 * text. Measuring visits every cell, so only mutations that may exceed the limit are measured. One
 * per shard; shard thread only.
 */
public final class MutationLimit {
  /** An upper bound of the ratio between the size of Cassandra's serialization and ours. */
  private static final int LARGEST_RATIO = 8;

  /** The bytes that Cassandra's commit log adds to each mutation. */
  private static final int LOG_OVERHEAD_BYTES = 12;

  private static final int TOP_KEYS_TEXT_LIMIT = 1024;

  private final long limitBytes;
  private final MutationView view = new MutationView();

  /** Creates a limit in bytes. */
  public MutationLimit(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The limit in bytes. */
  long bytes() {
    return limitBytes;
  }

  private record TableBytes(TableSchema table, long bytes) {}

  /**
   * Checks the size of a mutation.
   *
   * @throws CqlException INVALID if it is too large
   */
  void check(ByteWriter mutation, Schema schema) {
    if (mutation.size() > limitBytes / LARGEST_RATIO) {
      measure(mutation, schema);
    }
  }

  private void measure(ByteWriter mutation, Schema schema) {
    view.wrap(mutation.segment(), 0, mutation.size());
    byte[] key = partitionKey(view);
    List<TableBytes> tables = new ArrayList<>();
    long total = LOG_OVERHEAD_BYTES;
    while (view.nextTable()) {
      TableSchema table = schema.table(view.tableId());
      if (table != null) {
        long bytes = new UpdateSize(table).measure(key.length, view);
        tables.add(new TableBytes(table, bytes));
        total += bytes;
      }
    }
    total += UpdateSize.varintBytes(tables.size());
    if (total > limitBytes) {
      throw CqlException.invalid(
          "Rejected an oversized mutation ("
              + total
              + "/"
              + limitBytes
              + ") for keyspace: "
              + tables.getFirst().table.keyspace()
              + ". Top keys are: "
              + topKeys(tables, key));
    }
  }

  private static byte[] partitionKey(MutationView view) {
    ByteWriter key = new ByteWriter(64);
    long end = KeyFormat.readPartitionKey(view.segment(), view.prefixOffset(), key);
    assert end == view.prefixOffset() + view.prefixLength();
    return key.toArray();
  }

  private static String topKeys(List<TableBytes> tables, byte[] key) {
    tables.sort(Comparator.comparingLong(TableBytes::bytes).reversed());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tables.size(); i++) {
      TableSchema table = tables.get(i).table;
      String each = table.name() + "." + keyText(table, key);
      if (i > 0 && text.length() + each.length() + 2 > TOP_KEYS_TEXT_LIMIT) {
        return text.append(" and ").append(tables.size() - i).append(" more.").toString();
      }
      text.append(i == 0 ? "" : ", ").append(each);
    }
    return text.toString();
  }

  /** The partition key in a key prefix, as Cassandra's log shows it. */
  public static String partitionText(TableSchema table, byte[] prefix) {
    ByteWriter key = new ByteWriter(64);
    ByteWriter bytes = new ByteWriter(prefix.length).putBytes(prefix);
    long end = KeyFormat.readPartitionKey(bytes.segment(), 0, key);
    assert end == prefix.length;
    return keyText(table, key.toArray());
  }

  private static String keyText(TableSchema table, byte[] key) {
    List<ColumnSchema> columns = table.partitionKey();
    if (columns.size() == 1) {
      return plainText(columns.getFirst(), key);
    }
    MemorySegment composite = new ByteWriter(key.length).putBytes(key).segment();
    StringBuilder text = new StringBuilder();
    long at = 0;
    for (ColumnSchema column : columns) {
      int length = PartitionKeys.componentLength(composite, at);
      String value = plainText(column, Bytes.toArray(composite, at + 2, length));
      text.append(text.isEmpty() && at == 0 ? "" : ":").append(escaped(value));
      at = PartitionKeys.nextComponent(composite, at);
    }
    return text.toString();
  }

  /** Escapes a value in a composite as Cassandra does. */
  private static String escaped(String value) {
    String text = value.replace(":", "\\:");
    return text.endsWith("\\") || text.endsWith("!") ? text + "!" : text;
  }

  private static String plainText(ColumnSchema column, byte[] value) {
    if (column.type() == ScalarType.TEXT || column.type() == ScalarType.ASCII) {
      return new String(value, UTF_8);
    }
    if (column.type() == ScalarType.BLOB) {
      return HexFormat.of().formatHex(value);
    }
    String literal = column.type().toLiteral(value);
    return literal.startsWith("'") ? literal.substring(1, literal.length() - 1) : literal;
  }
}
