package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a type as found in schema tables and the metadata log: {@code frozen<map<text,
 * text>>}. Accepts what {@link CqlType#toCql} writes, with any white space and names in any case;
 * it does not parse statements.
 */
public final class TypeText {
  private static final int DEPTH_LIMIT = 64;

  private final String text;
  private final String keyspace;
  private final UserTypes userTypes;
  private int at;

  /** Finds user types by name. */
  @FunctionalInterface
  public interface UserTypes {
    /** Returns the type; null if it does not exist. */
    @Nullable UserType find(String keyspace, String name);
  }

  private TypeText(String text, String keyspace, UserTypes userTypes) {
    this.text = text;
    this.keyspace = keyspace;
    this.userTypes = userTypes;
  }

  /**
   * Parses a type; user types without a keyspace are looked up in the given one.
   *
   * @throws CqlException INVALID if the text is not a type
   */
  public static CqlType parse(String text, String keyspace, UserTypes userTypes) {
    TypeText parser = new TypeText(text, keyspace, userTypes);
    CqlType type = parser.type(false, 0);
    parser.skipSpace();
    if (parser.at != text.length()) {
      throw parser.malformed();
    }
    return type;
  }

  /** As {@link #parse(String, String, UserTypes)} without user types. */
  public static CqlType parse(String text) {
    return parse(text, "", (inKeyspace, name) -> null);
  }

  private CqlType type(boolean frozen, int depth) {
    if (depth > DEPTH_LIMIT) {
      throw malformed();
    }
    skipSpace();
    if (peek() == '\'') {
      return new CustomType(quoted('\''));
    }
    boolean quoted = peek() == '"';
    String name = quoted ? quoted('"') : word();
    if (quoted) {
      return userType(name, frozen);
    }
    String lower = name.toLowerCase(Locale.ROOT);
    skipSpace();
    if (peek() != '<') {
      ScalarType scalar = ScalarType.named(lower);
      return scalar != null ? scalar : userType(lower, frozen);
    }
    at++;
    CqlType type = parameterized(lower, frozen, depth + 1);
    expect('>');
    return type;
  }

  private CqlType parameterized(String name, boolean frozen, int depth) {
    return switch (name) {
      case "frozen" -> type(true, depth).freeze();
      case "list" -> new ListType(type(frozen, depth), frozen);
      case "set" -> new SetType(type(frozen, depth), frozen);
      case "map" -> {
        CqlType key = type(frozen, depth);
        expect(',');
        yield new MapType(key, type(frozen, depth), frozen);
      }
      case "tuple" -> tuple(depth);
      case "vector" -> {
        CqlType element = type(frozen, depth);
        expect(',');
        skipSpace();
        yield new VectorType(element, dimension());
      }
      default -> throw malformed();
    };
  }

  private CqlType tuple(int depth) {
    List<CqlType> elements = new ArrayList<>();
    elements.add(type(true, depth).freeze());
    skipSpace();
    while (peek() == ',') {
      at++;
      elements.add(type(true, depth).freeze());
      skipSpace();
    }
    return new TupleType(elements);
  }

  private CqlType userType(String firstName, boolean frozen) {
    String inKeyspace = keyspace;
    String name = firstName;
    if (peek() == '.') {
      at++;
      inKeyspace = firstName;
      name = peek() == '"' ? quoted('"') : word().toLowerCase(Locale.ROOT);
    }
    UserType type = userTypes.find(inKeyspace, name);
    if (type == null) {
      throw CqlException.invalid("Unknown type " + inKeyspace + "." + name);
    }
    return frozen ? type.freeze() : type;
  }

  private int dimension() {
    try {
      return Integer.parseInt(word());
    } catch (NumberFormatException e) {
      throw malformed();
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private void expect(char wanted) {
    skipSpace();
    if (peek() != wanted) {
      throw malformed();
    }
    at++;
  }

  private String word() {
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    if (at == start) {
      throw malformed();
    }
    return text.substring(start, at);
  }

  private String quoted(char quote) {
    StringBuilder out = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != quote) {
        out.append(c);
      } else if (peek() == quote) {
        out.append(c);
        at++;
      } else {
        return out.toString();
      }
    }
    throw malformed();
  }

  private CqlException malformed() {
    return CqlException.invalid("Invalid type: " + text);
  }
}
