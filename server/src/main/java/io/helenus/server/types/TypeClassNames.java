package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Parses what {@link CqlType#className} writes. Unlike the CQL text of a type, it includes the
 * fields of user types. One per text.
 */
public final class TypeClassNames {
  private final String text;
  private int at;

  private TypeClassNames(String text) {
    this.text = text;
  }

  /**
   * Parses a type.
   *
   * @throws CqlException INVALID if the text is not the class name of a type
   */
  public static CqlType parse(String className) {
    TypeClassNames parser = new TypeClassNames(className);
    CqlType type = parser.type(false);
    if (parser.at != className.length()) {
      throw parser.malformed();
    }
    return type;
  }

  private CqlType type(boolean frozen) {
    String name = word();
    if (!name.startsWith(ScalarType.CLASS_PREFIX)) {
      throw malformed();
    }
    String simple = name.substring(ScalarType.CLASS_PREFIX.length());
    if (peek() != '(') {
      return scalar(name);
    }
    at++;
    CqlType type =
        switch (simple) {
          case "FrozenType" -> type(true);
          case "ListType" -> new ListType(type(false), frozen);
          case "SetType" -> new SetType(type(false), frozen);
          case "MapType" -> {
            CqlType key = type(false);
            expect(',');
            yield new MapType(key, type(false), frozen);
          }
          case "TupleType" -> new TupleType(types());
          case "UserType" -> userType(frozen);
          case "VectorType" -> vector();
          default -> throw malformed();
        };
    expect(')');
    return type;
  }

  private CqlType scalar(String name) {
    for (ScalarType type : ScalarType.values()) {
      if (type.className().equals(name)) {
        return type;
      }
    }
    throw malformed();
  }

  private List<CqlType> types() {
    List<CqlType> types = new ArrayList<>();
    types.add(type(false));
    while (peek() == ',') {
      at++;
      types.add(type(false));
    }
    return types;
  }

  private CqlType userType(boolean frozen) {
    String keyspace = word();
    expect(',');
    String name = hexText();
    List<String> fields = new ArrayList<>();
    List<CqlType> types = new ArrayList<>();
    while (peek() == ',') {
      at++;
      fields.add(hexText());
      expect(':');
      types.add(type(false));
    }
    return new UserType(keyspace, name, fields, types, frozen);
  }

  private CqlType vector() {
    CqlType element = type(false);
    expect(' ');
    expect(',');
    expect(' ');
    return new VectorType(element, Integer.parseInt(word()));
  }

  private String hexText() {
    return new String(HexFormat.of().parseHex(word()), UTF_8);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw malformed();
    }
    at++;
  }

  private String word() {
    int start = at;
    while (at < text.length() && "(),: ".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private CqlException malformed() {
    return CqlException.invalid("Invalid type: " + text);
  }
}
