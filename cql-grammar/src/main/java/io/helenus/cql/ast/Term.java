package io.helenus.cql.ast;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value as written, outside of a SELECT list. {@code toString} returns the text that Cassandra's
 * messages show for the term. Literals are untyped: the planner decides which types a literal can
 * have. Immutable; any thread.
 */
public sealed interface Term
    permits Term.Literal,
        Term.Null,
        Term.ListLiteral,
        Term.SetLiteral,
        Term.MapLiteral,
        Term.UserTypeLiteral,
        Term.TupleLiteral,
        Term.FunctionCall,
        Term.Operation,
        Term.Negation,
        Term.TypeHint,
        Term.Cast,
        BindMarker {

  /** The lexical kind of a literal. */
  enum LiteralKind {
    /** {@code 'abc'} or {@code $$abc$$}. */
    STRING,
    /** {@code -12}. */
    INTEGER,
    /** {@code 1.5e3}, {@code NaN}, {@code Infinity}, {@code -Infinity}. */
    FLOAT,
    /** {@code true}, {@code false}. */
    BOOLEAN,
    /** {@code 1d2h}, {@code P1Y}, {@code P1W}, {@code P0001-02-03T04:05:06}. */
    DURATION,
    /** {@code xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}. */
    UUID,
    /** {@code 0xcafe}: the {@code 0x} is part of the text. */
    HEX
  }

  /**
   * A literal.
   *
   * @param text a string without its quotes and unescaped, anything else as written (a NaN of
   *     either sign is {@code NaN}, an infinity {@code Infinity} or {@code -Infinity})
   */
  record Literal(LiteralKind kind, String text) implements Term {
    @Override
    public String toString() {
      return kind == LiteralKind.STRING ? "'" + text + "'" : text;
    }
  }

  /** {@code NULL}. */
  record Null() implements Term {
    @Override
    public String toString() {
      return "NULL";
    }
  }

  /** {@code [a, b]}: a list or a vector. */
  record ListLiteral(List<Term> elements) implements Term {
    /** Copies the list. */
    public ListLiteral {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return joined(elements, "[", "]");
    }
  }

  /** {@code {a, b}}. {@code {}} is a set literal, but may also be an empty map. */
  record SetLiteral(List<Term> elements) implements Term {
    /** Copies the list. */
    public SetLiteral {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return joined(elements, "{", "}");
    }
  }

  /** {@code {k: v, …}} with terms as keys, at least one entry. */
  record MapLiteral(List<Entry> entries) implements Term {
    /** Copies the list. */
    public MapLiteral {
      entries = List.copyOf(entries);
    }

    /** One {@code key: value}. */
    public record Entry(Term key, Term value) {
      @Override
      public String toString() {
        return key + ": " + value;
      }
    }

    @Override
    public String toString() {
      return entries.stream().map(Entry::toString).collect(Collectors.joining(", ", "{", "}"));
    }
  }

  /** {@code {field: v, …}} with names as keys, at least one field, each with its own name. */
  record UserTypeLiteral(List<Field> fields) implements Term {
    /**
     * Copies the list. Of the fields with one name, only the last is kept. They are in the order of
     * a hash map with the bytes of the names as keys, as in Cassandra, since its messages show them
     * so and name the first field that is unknown.
     */
    public UserTypeLiteral {
      Map<ByteBuffer, Field> byName = new HashMap<>();
      for (Field field : fields) {
        byName.put(ByteBuffer.wrap(field.name().getBytes(UTF_8)), field);
      }
      fields = List.copyOf(byName.values());
    }

    /** One {@code name: value}. */
    public record Field(String name, Term value) {
      @Override
      public String toString() {
        return name + ": " + value;
      }
    }

    @Override
    public String toString() {
      return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "{", "}"));
    }
  }

  /** {@code (a, b)}, at least one element. {@code (a)} is a tuple of one element. */
  record TupleLiteral(List<Term> elements) implements Term {
    /** Copies the list. */
    public TupleLiteral {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return joined(elements, "(", ")");
    }
  }

  /** {@code name(arguments)}. */
  record FunctionCall(QualifiedName name, List<Term> arguments) implements Term {
    /** Copies the list. */
    public FunctionCall {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
      return joined(arguments, nameText() + "(", ")");
    }

    /** Cassandra quotes names where that is necessary, except for its own function "token". */
    private String nameText() {
      String keyspace = name.keyspace();
      if (name.name().equals("token") && (keyspace == null || keyspace.equals("system"))) {
        return name.name();
      }
      String quoted = CqlNames.quoted(name.name());
      return keyspace == null ? quoted : CqlNames.quoted(keyspace) + "." + quoted;
    }
  }

  /** {@code left operator right}. */
  record Operation(ArithmeticOperator operator, Term left, Term right) implements Term {
    @Override
    public String toString() {
      return "system.\"" + operator.functionName() + "\"(" + left + ", " + right + ")";
    }
  }

  /** {@code -operand} where the minus is not part of a number. */
  record Negation(Term operand) implements Term {
    @Override
    public String toString() {
      return "system.\"_negate\"(" + operand + ")";
    }
  }

  /** {@code (type)operand}. */
  record TypeHint(TypeName type, Term operand) implements Term {
    @Override
    public String toString() {
      return "(" + type + ")" + operand;
    }
  }

  /** {@code CAST(operand AS type)}. */
  record Cast(Term operand, NativeType type) implements Term {
    @Override
    public String toString() {
      return "system.cast_as_" + type + "(" + operand + ")";
    }
  }

  /** The text of elements between brackets, as shown in messages. */
  private static String joined(
      List<? extends @Nullable Object> elements, String open, String close) {
    return elements.stream().map(String::valueOf).collect(Collectors.joining(", ", open, close));
  }
}
