package io.helenus.server.conformance;

import io.helenus.server.client.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type as the native protocol describes it in result and bind metadata ("option" in its
 * specification).
 */
public sealed interface DataType {

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

    public static Scalar named(String name) {
      for (Scalar scalar : values()) {
        if (scalar.cqlName.equals(name)) {
          return scalar;
        }
      }
      throw new IllegalArgumentException("unknown scalar type " + name);
    }

    static Scalar withCode(int code) {
      for (Scalar scalar : values()) {
        if (scalar.code == code) {
          return scalar;
        }
      }
      throw new IllegalStateException("unknown type code 0x" + Integer.toHexString(code));
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

  /** A user-defined type with its fields, named {@code keyspace.name}. */
  record UserType(String name, List<String> fields, List<DataType> types) implements DataType {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * {@code vector<element, dimension>}; metadata has its class name instead ({@link Custom}), and
   * scripts its bytes.
   */
  record VectorOf(DataType element, int dimension) implements DataType {
    @Override
    public String toString() {
      return "vector<" + element + ", " + dimension + ">";
    }
  }

  /** A type without a protocol code, identified by Cassandra's class name. */
  record Custom(String className) implements DataType {
    /** The scalar type, if it only lacks a code in version 3 of the protocol; otherwise null. */
    @Nullable Scalar scalar() {
      return switch (className) {
        case "org.apache.cassandra.db.marshal.ShortType" -> Scalar.SMALLINT;
        case "org.apache.cassandra.db.marshal.ByteType" -> Scalar.TINYINT;
        case "org.apache.cassandra.db.marshal.SimpleDateType" -> Scalar.DATE;
        case "org.apache.cassandra.db.marshal.TimeType" -> Scalar.TIME;
        default -> null;
      };
    }

    @Override
    public String toString() {
      return "'" + className + "'";
    }
  }

  /** The type that the client decoded. */
  static DataType of(ColumnType type) {
    List<DataType> parameters = type.parameters().stream().map(DataType::of).toList();
    return switch (type.id()) {
      case 0x00 -> new Custom(type.name());
      case 0x20 -> new ListOf(parameters.getFirst());
      case 0x21 -> new MapOf(parameters.getFirst(), parameters.getLast());
      case 0x22 -> new SetOf(parameters.getFirst());
      case 0x30 -> new UserType(type.name(), type.fields(), parameters);
      case 0x31 -> new TupleOf(parameters);
      default -> Scalar.withCode(type.id());
    };
  }
}
