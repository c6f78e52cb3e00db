package io.helenus.server.protocol;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names and types of result columns or bind markers, encoded once for each version of the
 * protocol. Effectively immutable: encodings are created on first use; racing threads create equal
 * ones. Any thread.
 */
public final class ResultColumns {
  /** One column: its keyspace, table, name and type. */
  public record Column(String keyspace, String table, String name, CqlType type) {}

  private final List<Column> columns;
  private final boolean ofOneTable;
  private final byte[] @Nullable [] encodings =
      new byte[ProtocolVersions.HIGHEST - ProtocolVersions.LOWEST + 1][];
  private byte @Nullable [] id;

  /** Creates the metadata of these columns, in order. */
  public ResultColumns(List<Column> columns) {
    this.columns = List.copyOf(columns);
    this.ofOneTable = areOfOneTable(this.columns);
  }

  private static boolean areOfOneTable(List<Column> columns) {
    for (Column column : columns) {
      Column first = columns.getFirst();
      if (!column.keyspace().equals(first.keyspace()) || !column.table().equals(first.table())) {
        return false;
      }
    }
    return !columns.isEmpty();
  }

  /** The columns, in order. */
  public List<Column> columns() {
    return columns;
  }

  /** The number of columns. */
  public int size() {
    return columns.size();
  }

  /** Whether all columns share keyspace and table, which are then written only once. */
  public boolean isOfOneTable() {
    return ofOneTable;
  }

  /** A 16-byte id: equal for equal columns, on every node and after a restart. */
  public byte[] id() {
    byte[] known = id;
    if (known == null) {
      known = digest(encoding(ProtocolVersions.HIGHEST));
      id = known;
    }
    return known.clone();
  }

  /** The id for statements that return no rows. */
  public static byte[] idOfNone() {
    return digest(new byte[0]);
  }

  /** Writes keyspace and table, once or for each column, and the name and type of each column. */
  public void writeSpecifications(ByteWriter out, int version) {
    out.putBytes(encoding(version));
  }

  private byte[] encoding(int version) {
    int index = version - ProtocolVersions.LOWEST;
    byte[] known = encodings[index];
    if (known == null) {
      known = encode(version);
      encodings[index] = known;
    }
    return known;
  }

  private byte[] encode(int version) {
    ByteWriter out = new ByteWriter(64 + 32 * columns.size());
    if (ofOneTable) {
      WireWriter.string(out, columns.getFirst().keyspace());
      WireWriter.string(out, columns.getFirst().table());
    }
    for (Column column : columns) {
      if (!ofOneTable) {
        WireWriter.string(out, column.keyspace());
        WireWriter.string(out, column.table());
      }
      WireWriter.string(out, column.name());
      column.type().putOption(out, version);
    }
    return out.toArray();
  }

  private static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
