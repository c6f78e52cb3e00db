package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element of a SELECT list or of GROUP BY. The planner derives the header of an unaliased
 * column from this tree: names are folded, literals keep their text.
 */
public sealed interface Selectable {

  /**
   * A column.
   *
   * @param quoted whether the name was written in double quotes
   */
  record Column(String name, boolean quoted) implements Selectable {}

  /** A literal, NULL or a bind marker. */
  record Value(Term term) implements Selectable {}

  /** {@code count(*)}, the function name in any case. */
  record CountRows() implements Selectable {}

  /** {@code name(arguments)}; {@code token} and {@code count} among them, names folded. */
  record Function(QualifiedName name, List<Selectable> arguments) implements Selectable {
    /** Copies the list. */
    public Function {
      arguments = List.copyOf(arguments);
    }
  }

  /** The selected property of a cell. */
  enum CellFact {
    /** {@code WRITETIME}. */
    WRITE_TIME("writetime"),
    /** {@code MAXWRITETIME}. */
    MAX_WRITE_TIME("maxwritetime"),
    /** {@code TTL}. */
    TIME_TO_LIVE("ttl");

    private final String functionName;

    CellFact(String functionName) {
      this.functionName = functionName;
    }

    /** The function in lower case, as in column headers. */
    public String functionName() {
      return functionName;
    }
  }

  /**
   * {@code WRITETIME(target)} and the like.
   *
   * @param column the column at the root of the target
   * @param target that column itself, or elements, slices or fields of it
   */
  record CellFactOf(CellFact fact, Column column, Selectable target) implements Selectable {}

  /** {@code CAST(operand AS type)}. */
  record Cast(Selectable operand, NativeType type) implements Selectable {}

  /** {@code (type)operand}. */
  record TypeHint(TypeName type, Selectable operand) implements Selectable {}

  /** {@code left operator right}. */
  record Operation(ArithmeticOperator operator, Selectable left, Selectable right)
      implements Selectable {}

  /** {@code -operand}. */
  record Negation(Selectable operand) implements Selectable {}

  /** {@code operand.field}. */
  record Field(Selectable operand, String field) implements Selectable {}

  /** {@code operand[index]}. */
  record Element(Selectable operand, Term index) implements Selectable {}

  /** {@code operand[from..to]}; one of the ends may be omitted, but not both. */
  record Slice(Selectable operand, @Nullable Term from, @Nullable Term to) implements Selectable {}

  /**
   * {@code (a)}, which is either {@code a} or a tuple of one element, or {@code (a, b)}, a tuple.
   */
  record Parenthesised(List<Selectable> elements) implements Selectable {
    /** Copies the list. */
    public Parenthesised {
      elements = List.copyOf(elements);
      if (elements.isEmpty()) {
        throw new IllegalArgumentException("parentheses must not be empty");
      }
    }
  }

  /** {@code [a, b]}: a list or a vector. */
  record ListOf(List<Selectable> elements) implements Selectable {
    /** Copies the list. */
    public ListOf {
      elements = List.copyOf(elements);
    }
  }

  /** {@code {a, b}}; {@code {}} may also be an empty map. */
  record SetOf(List<Selectable> elements) implements Selectable {
    /** Copies the list. */
    public SetOf {
      elements = List.copyOf(elements);
    }
  }

  /** {@code {k: v, …}}: a map, or a user type if all keys are columns. At least one entry. */
  record MapOrUserType(List<Entry> entries) implements Selectable {
    /** Copies the list. */
    public MapOrUserType {
      entries = List.copyOf(entries);
    }

    /** One {@code key: value}. */
    public record Entry(Selectable key, Selectable value) {}
  }
}
