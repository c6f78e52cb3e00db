package io.helenus.server.client;

import java.util.ArrayList;
import java.util.List;

/**
 * A type as encoded in result metadata.
 *
 * @param id the option id
 * @param name the class of a custom type, {@code keyspace.name} of a user type, otherwise empty
 * @param parameters the types of elements, of key and value, or of fields
 * @param fields the field names of a user type
 */
public record ColumnType(int id, String name, List<ColumnType> parameters, List<String> fields) {
  private static final List<String> SCALARS =
      List.of(
          "custom",
          "ascii",
          "bigint",
          "blob",
          "boolean",
          "counter",
          "decimal",
          "double",
          "float",
          "int",
          "0x0a",
          "timestamp",
          "uuid",
          "text",
          "varint",
          "timeuuid",
          "inet",
          "date",
          "time",
          "smallint",
          "tinyint",
          "duration");

  static ColumnType read(BodyReader in) {
    int id = in.getShort();
    List<ColumnType> parameters = new ArrayList<>();
    List<String> fields = new ArrayList<>();
    String name = "";
    switch (id) {
      case 0x00 -> name = in.getString();
      case 0x20, 0x22 -> parameters.add(read(in));
      case 0x21 -> {
        parameters.add(read(in));
        parameters.add(read(in));
      }
      case 0x30 -> {
        name = in.getString() + "." + in.getString();
        for (int left = in.getShort(); left > 0; left--) {
          fields.add(in.getString());
          parameters.add(read(in));
        }
      }
      case 0x31 -> {
        for (int left = in.getShort(); left > 0; left--) {
          parameters.add(read(in));
        }
      }
      default -> {}
    }
    return new ColumnType(id, name, parameters, fields);
  }

  /** As in CQL: {@code map<text, int>}; the protocol does not encode frozen. */
  public String toCql() {
    return switch (id) {
      case 0x00 -> "'" + name + "'";
      case 0x20 -> "list" + inBrackets();
      case 0x21 -> "map" + inBrackets();
      case 0x22 -> "set" + inBrackets();
      case 0x30 -> name;
      case 0x31 -> "tuple" + inBrackets();
      default -> id < SCALARS.size() ? SCALARS.get(id) : "0x" + Integer.toHexString(id);
    };
  }

  private String inBrackets() {
    return "<" + String.join(", ", parameters.stream().map(ColumnType::toCql).toList()) + ">";
  }
}
