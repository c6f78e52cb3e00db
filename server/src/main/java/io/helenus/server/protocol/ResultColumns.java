package io.helenus.server.protocol;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names and types of a result's columns, or of a statement's bind markers, encoded once for
 * each version of the protocol. Immutable in effect: the encodings are made on first use, which
 * several threads may do at once with the same outcome.
 */
public final class ResultColumns {
  /** One column: the keyspace and table it comes from, its name, its type. */
  public record Column(String keyspace, String table, String name, CqlType type) {}

  private final List<Column> columns;
  private final boolean ofOneTable;
  private final byte[] @Nullable [] encodings =
      new byte[ProtocolVersions.HIGHEST - ProtocolVersions.LOWEST + 1][];
  private byte @Nullable [] id;

  /** These columns, in order. */
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

  /** How many columns there are. */
  public int size() {
    return columns.size();
  }

  /** Whether keyspace and table are said once for all columns. */
  public boolean isOfOneTable() {
    return ofOneTable;
  }

  /** 16 bytes that are the same for the same columns, on every node and after a restart. */
  public byte[] id() {
    byte[] known = id;
    if (known == null) {
      known = digest(encoding(ProtocolVersions.HIGHEST));
      id = known;
    }
    return known.clone();
  }

  /** What stands for the id where there are no columns: for statements that return no rows. */
  public static byte[] idOfNone() {
    return digest(new byte[0]);
  }

  /** Writes keyspace and table, once or per column, and each column's name and type. */
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
