package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;

/**
 * The condition that selects one partition, ready to be pasted after WHERE: {@code user_id = 5 AND
 * day = '2024-01-01'}. Stateless; cold path.
 */
public final class PartitionCondition {
  private PartitionCondition() {}

  /** The condition for the partition whose keys have this prefix in storage. */
  public static String ofPrefix(TableSchema table, byte[] prefix) {
    MemorySegment stored = new ByteWriter(prefix.length).putBytes(prefix).segment();
    ByteWriter key = new ByteWriter(prefix.length);
    KeyFormat.readPartitionKey(stored, 0, key);
    return ofKey(table, key.toArray());
  }

  /** The condition for the partition with this key, as {@link PartitionKeys} describes it. */
  public static String ofKey(TableSchema table, byte[] key) {
    if (table.partitionKey().size() == 1) {
      return equal(table.partitionKey().getFirst(), key);
    }
    MemorySegment composite = new ByteWriter(key.length).putBytes(key).segment();
    StringBuilder condition = new StringBuilder();
    long at = 0;
    for (ColumnSchema column : table.partitionKey()) {
      int length = PartitionKeys.componentLength(composite, at);
      condition.append(condition.isEmpty() ? "" : " AND ");
      condition.append(equal(column, Bytes.toArray(composite, at + 2, length)));
      at = PartitionKeys.nextComponent(composite, at);
    }
    return condition.toString();
  }

  private static String equal(ColumnSchema column, byte[] value) {
    String literal = column.type().toLiteral(value);
    // such as the empty int, which has no literal
    String given = literal.isEmpty() ? "blob_as_" + column.type().toCql() + "(0x)" : literal;
    return CqlNames.quoted(column.name()) + " = " + given;
  }
}
