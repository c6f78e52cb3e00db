package io.helenus.server.conformance;

import io.helenus.server.client.BodyReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A type as the native protocol describes it in result and bind metadata ("option" in its
 * specification).
 */
sealed interface DataType {

  /** The scalar types, by protocol code. */
  enum Scalar implements DataType {
    ASCII(0x01, "ascii"),
    BIGINT(0x02, "bigint"),
    BLOB(0x03, "blob"),
    BOOLEAN(0x04, "boolean"),
    COUNTER(0x05, "counter"),
    DECIMAL(0x06, "decimal"),
    DOUBLE(0x07, "double"),
    FLOAT(0x08, "float"),
    INT(0x09, "int"),
    TIMESTAMP(0x0B, "timestamp"),
    UUID(0x0C, "uuid"),
    TEXT(0x0D, "text"),
    VARINT(0x0E, "varint"),
    TIMEUUID(0x0F, "timeuuid"),
    INET(0x10, "inet"),
    DATE(0x11, "date"),
    TIME(0x12, "time"),
    SMALLINT(0x13, "smallint"),
    TINYINT(0x14, "tinyint"),
    DURATION(0x15, "duration");

    private final int code;
    private final String cqlName;

    Scalar(int code, String cqlName) {
      this.code = code;
      this.cqlName = cqlName;
    }

    static Scalar named(String name) {
      for (Scalar scalar : values()) {
        if (scalar.cqlName.equals(name)) {
          return scalar;
        }
      }
      throw new IllegalArgumentException("unknown scalar type " + name);
    }

    @Override
    public String toString() {
      return cqlName;
    }
  }

  /** {@code list<element>}. */
  record ListOf(DataType element) implements DataType {
    @Override
    public String toString() {
      return "list<" + element + ">";
    }
  }

  /** {@code set<element>}. */
  record SetOf(DataType element) implements DataType {
    @Override
    public String toString() {
      return "set<" + element + ">";
    }
  }

  /** {@code map<key, value>}. */
  record MapOf(DataType key, DataType value) implements DataType {
    @Override
    public String toString() {
      return "map<" + key + ", " + value + ">";
    }
  }

  /** {@code tuple<…>}. */
  record TupleOf(List<DataType> elements) implements DataType {
    @Override
    public String toString() {
      return "tuple<" + String.join(", ", elements.stream().map(Object::toString).toList()) + ">";
    }
  }

  /** A user-defined type with its fields. */
  record UserType(String keyspace, String name, List<String> fields, List<DataType> types)
      implements DataType {
    @Override
    public String toString() {
      return keyspace + "." + name;
    }
  }

  /** A type without a protocol code, identified by Cassandra's class name. */
  record Custom(String className) implements DataType {
    @Override
    public String toString() {
      return "'" + className + "'";
    }
  }

  /** Reads an option from a message body. */
  static DataType read(BodyReader body) {
    int code = body.getShort();
    switch (code) {
      case 0x00:
        return new Custom(body.getString());
      case 0x20:
        return new ListOf(read(body));
      case 0x21:
        DataType key = read(body);
        return new MapOf(key, read(body));
      case 0x22:
        return new SetOf(read(body));
      case 0x30:
        return readUserType(body);
      case 0x31:
        List<DataType> elements = new ArrayList<>();
        int count = body.getShort();
        for (int i = 0; i < count; i++) {
          elements.add(read(body));
        }
        return new TupleOf(elements);
      default:
        for (Scalar scalar : Scalar.values()) {
          if (scalar.code == code) {
            return scalar;
          }
        }
        throw new IllegalStateException("unknown type code 0x" + Integer.toHexString(code));
    }
  }

  private static UserType readUserType(BodyReader body) {
    String keyspace = body.getString();
    String name = body.getString();
    int count = body.getShort();
    List<String> fields = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(body.getString());
      types.add(read(body));
    }
    return new UserType(keyspace, name, fields, types);
  }
}
