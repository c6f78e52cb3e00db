package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Parses the class name of a type, with its parameters: what {@link CqlType#className} writes and
 * what a client writes as {@code 'MapType(Int32Type, UTF8Type)'}. Unlike the CQL text of a type, it
 * includes the fields of user types. One per text.
 *
 * <p>Reads what Cassandra's TypeParser reads: classes may lack their package, parameters may be
 * separated by white space, and text after the end is ignored.
 */
public final class TypeClassNames {
  private static final Set<String> ABSTRACT =
      Set.of(
          "AbstractCompositeType",
          "AbstractTimeUUIDType",
          "AbstractType",
          "CollectionType",
          "NumberType",
          "StringType",
          "TemporalType");

  private final String text;
  private int at;

  private TypeClassNames(String text) {
    this.text = text;
  }

  /**
   * Parses a type; without a class name it is a blob.
   *
   * @throws CqlException INVALID if the text is not the class name of a type, with Cassandra's
   *     text; it has the fields of user types that the text names, whether or not such types exist
   */
  public static CqlType parse(String className) {
    TypeClassNames parser = new TypeClassNames(className);
    return parser.type();
  }

  private CqlType type() {
    skipBlank();
    String name = word();
    if (name.isEmpty()) {
      return ScalarType.BLOB;
    }
    skipBlank();
    String full = name.indexOf('.') < 0 ? ScalarType.CLASS_PREFIX + name : name;
    String simple =
        full.startsWith(ScalarType.CLASS_PREFIX)
            ? full.substring(ScalarType.CLASS_PREFIX.length())
            : "";
    return switch (simple) {
      case "FrozenType", "ListType", "SetType", "MapType", "TupleType", "VectorType", "UserType" ->
          parameterized(simple);
      default -> {
        ScalarType type = scalar(full, simple);
        skipProperties();
        yield type;
      }
    };
  }

  /** A mistake in a parameter, however deep, is reported as one of the outermost class. */
  private CqlType parameterized(String simpleName) {
    try {
      expect('(');
      CqlType type =
          switch (simpleName) {
            case "FrozenType" -> parameter().freeze();
            case "ListType" -> new ListType(type().freeze(), false);
            case "SetType" -> new SetType(type().freeze(), false);
            case "MapType" -> {
              CqlType key = parameter().freeze();
              yield new MapType(key, separated().parameter().freeze(), false);
            }
            case "TupleType" -> new TupleType(types());
            case "VectorType" -> {
              CqlType element = parameter();
              yield vector(element, Integer.parseInt(separated().word()));
            }
            default -> userType();
          };
      separated().expect(')');
      return type;
    } catch (CqlException | IllegalArgumentException e) {
      throw CqlException.invalid(
          "Invalid definition for comparator " + ScalarType.CLASS_PREFIX + simpleName + ".");
    }
  }

  private static CqlType vector(CqlType element, int dimension) {
    if (dimension <= 0) {
      throw new IllegalArgumentException("dimension " + dimension);
    }
    return new VectorType(element, dimension);
  }

  private static ScalarType scalar(String className, String simpleName) {
    if (ABSTRACT.contains(simpleName)) {
      throw CqlException.invalid(
          "Invalid comparator class "
              + className
              + ": must define a public static instance field or a public static method"
              + " getInstance(TypeParser).");
    }
    if (simpleName.equals("DateType")) {
      return ScalarType.TIMESTAMP;
    }
    if (simpleName.equals("LegacyTimeUUIDType")) {
      return ScalarType.TIMEUUID;
    }
    for (ScalarType type : ScalarType.values()) {
      if (type != ScalarType.EMPTY && type.className().equals(className)) {
        return type;
      }
    }
    throw CqlException.invalid("Unable to find abstract-type class '" + className + "'");
  }

  /** Cassandra reads and ignores parameters of classes that have none. */
  private void skipProperties() {
    if (peek() != '(') {
      return;
    }
    at++;
    while (separated().peek() != ')') {
      int start = at;
      String ignored = word();
      skipBlank();
      if (peek() == '=') {
        at++;
        skipBlank();
        String _ = word();
      }
      if (at == start || peek() != ',' && peek() != ')') {
        throw CqlException.invalid(
            "Syntax error parsing '"
                + text
                + "' at char "
                + at
                + (at < text.length()
                    ? ": unexpected character '" + peek() + "'"
                    : ": unexpected end of string"));
      }
    }
    at++;
  }

  private List<CqlType> types() {
    List<CqlType> types = new ArrayList<>();
    do {
      types.add(parameter().freeze());
    } while (separated().peek() != ')');
    return types;
  }

  private CqlType userType() {
    skipBlank();
    String keyspace = word();
    String name = separated().hexText();
    List<String> fields = new ArrayList<>();
    List<CqlType> types = new ArrayList<>();
    while (separated().peek() != ')') {
      fields.add(hexText());
      skipBlank();
      expect(':');
      types.add(parameter());
    }
    return new UserType(keyspace, name, fields, types, false);
  }

  private String hexText() {
    return new String(HexFormat.of().parseHex(word()), UTF_8);
  }

  private CqlType parameter() {
    skipBlank();
    if (peek() == ')') {
      throw CqlException.invalid("Invalid type: " + text);
    }
    return type();
  }

  /** Moves behind white space and a comma, both of which may be missing. */
  private TypeClassNames separated() {
    skipBlank();
    if (peek() == ',') {
      at++;
      skipBlank();
    }
    return this;
  }

  private void skipBlank() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n') {
      at++;
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw CqlException.invalid("Invalid type: " + text);
    }
    at++;
  }

  private String word() {
    int start = at;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean isOfWord(char each) {
    return each >= '0' && each <= '9'
        || each >= 'a' && each <= 'z'
        || each >= 'A' && each <= 'Z'
        || "-+._&".indexOf(each) >= 0;
  }
}
