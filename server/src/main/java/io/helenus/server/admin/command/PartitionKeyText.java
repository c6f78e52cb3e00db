package io.helenus.server.admin.command;

import io.helenus.server.admin.CommandException;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Partitioner;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Partition keys as arguments of commands: the columns separated by colons, of which those in a
 * value are escaped, or all bytes in hexadecimal. Stateless.
 */
final class PartitionKeyText {
  private PartitionKeyText() {}

  /**
   * The key prefix of a partition.
   *
   * @param types of the table's key
   */
  static byte[] prefix(TableSchema table, PartitionKeyTypes types, String text, boolean hex)
      throws CommandException {
    try {
      return prefix(table, types, hex ? ofHex(table, text) : values(table, text));
    } catch (CqlException e) {
      throw CommandException.failed(e.error().message());
    }
  }

  private static byte[] prefix(TableSchema table, PartitionKeyTypes types, List<byte[]> values)
      throws CommandException {
    ByteWriter prefix = new ByteWriter(64);
    if (table.partitioner() == Partitioner.LOCAL) {
      for (int i = 0; i < values.size(); i++) {
        KeyEncoding encoding = table.partitionKey().get(i).type().keyEncoding();
        if (encoding == null) {
          throw CommandException.failed("the keys of " + table + " have no text");
        }
        byte[] value = values.get(i);
        MemorySegment bytes = new ByteWriter(value.length).putBytes(value).segment();
        encoding.write(bytes, 0, value.length, false, prefix);
      }
      return prefix.toArray();
    }
    if (types.hasCanonical()) {
      validate(types, values);
    }
    byte[] key = PartitionKeys.of(types.canonical(values));
    PartitionKeys.validate(key.length);
    MemorySegment bytes = new ByteWriter(key.length).putBytes(key).segment();
    KeyFormat.putPartition(Murmur3.token(bytes, 0, key.length), bytes, 0, key.length, prefix);
    return prefix.toArray();
  }

  private static void validate(PartitionKeyTypes types, List<byte[]> values) {
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      MemorySegment bytes = new ByteWriter(value.length).putBytes(value).segment();
      types.types().get(i).validate(bytes, 0, value.length);
    }
  }

  /** The values of the bytes of a key. */
  private static List<byte[]> ofHex(TableSchema table, String text) throws CommandException {
    byte[] key;
    try {
      key = HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("Non-hex characters in " + text);
    }
    int columns = table.partitionKey().size();
    if (columns == 1) {
      return List.of(key);
    }
    List<byte[]> values = new ArrayList<>();
    int at = 0;
    while (at + 2 <= key.length && values.size() < columns) {
      int length = (key[at] & 0xFF) << 8 | (key[at + 1] & 0xFF);
      if (at + 2 + length + 1 > key.length) {
        break;
      }
      byte[] value = new byte[length];
      System.arraycopy(key, at + 2, value, 0, length);
      values.add(value);
      at += 2 + length + 1;
    }
    if (at != key.length || values.size() != columns) {
      throw CommandException.usage(
          text + " is not a key of " + columns + " columns, each with its length and a zero byte");
    }
    return values;
  }

  private static List<byte[]> values(TableSchema table, String text) throws CommandException {
    List<ColumnSchema> columns = table.partitionKey();
    List<String> parts = columns.size() == 1 ? List.of(text) : split(text);
    if (parts.size() != columns.size()) {
      throw CommandException.usage(
          "the partition key of " + table + " has " + columns.size() + " columns: a:b:...");
    }
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (!(columns.get(i).type() instanceof ScalarType type)) {
        throw CommandException.usage(
            "column " + columns.get(i).name() + " has no text: give the key with -hf");
      }
      values.add(type.fromString(parts.get(i)));
    }
    return values;
  }

  /** Splits at colons without a backslash, and removes the escapes, as Cassandra does. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == ':' && (i == 0 || text.charAt(i - 1) != '\\')) {
        String part = text.substring(start, i).replace("\\:", ":");
        parts.add(part.endsWith("!") ? part.substring(0, part.length() - 1) : part);
        start = i + 1;
      }
    }
    return parts;
  }
}
