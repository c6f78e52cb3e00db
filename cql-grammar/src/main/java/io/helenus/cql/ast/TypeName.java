package io.helenus.cql.ast;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A type as written. {@code toString} returns the CQL text that Cassandra's messages show for the
 * type. Immutable; any thread.
 */
public sealed interface TypeName {
  /**
   * The type as an element of a frozen one: Cassandra freezes all elements of frozen collections
   * and of tuples, though not those of vectors, and shows that.
   */
  default TypeName inFrozen() {
    return this;
  }

  /** A scalar type. */
  record Native(NativeType type) implements TypeName {
    @Override
    public String toString() {
      return type.toString();
    }
  }

  /** {@code list<element>}. */
  record ListOf(TypeName element) implements TypeName {
    @Override
    public String toString() {
      return "list<" + element + ">";
    }

    @Override
    public TypeName inFrozen() {
      return new Frozen(new ListOf(element.inFrozen()));
    }
  }

  /** {@code set<element>}. */
  record SetOf(TypeName element) implements TypeName {
    @Override
    public String toString() {
      return "set<" + element + ">";
    }

    @Override
    public TypeName inFrozen() {
      return new Frozen(new SetOf(element.inFrozen()));
    }
  }

  /** {@code map<key, value>}. */
  record MapOf(TypeName key, TypeName value) implements TypeName {
    @Override
    public String toString() {
      return "map<" + key + ", " + value + ">";
    }

    @Override
    public TypeName inFrozen() {
      return new Frozen(new MapOf(key.inFrozen(), value.inFrozen()));
    }
  }

  /** {@code tuple<…>}, at least one element. */
  record TupleOf(List<TypeName> elements) implements TypeName {
    /** Copies the list. */
    public TupleOf {
      elements = List.copyOf(elements);
      if (elements.isEmpty()) {
        throw new IllegalArgumentException("a tuple type must have elements");
      }
    }

    @Override
    public String toString() {
      return elements.stream()
          .map(element -> element.inFrozen().toString())
          .collect(Collectors.joining(", ", "tuple<", ">"));
    }
  }

  /**
   * {@code vector<element, dimension>}.
   *
   * @param dimension as written; the planner rejects values below 1
   */
  record VectorOf(TypeName element, int dimension) implements TypeName {
    @Override
    public String toString() {
      return "vector<" + element + ", " + dimension + ">";
    }
  }

  /** {@code frozen<inner>}: inner is a collection, tuple, user type or vector. */
  record Frozen(TypeName inner) implements TypeName {
    @Override
    public String toString() {
      TypeName frozen = inFrozen();
      return frozen instanceof Frozen(TypeName of) ? "frozen<" + of + ">" : frozen.toString();
    }

    @Override
    public TypeName inFrozen() {
      return inner.inFrozen();
    }
  }

  /** A user-defined type by name. */
  record UserDefined(QualifiedName name) implements TypeName {
    @Override
    public String toString() {
      return name.toString();
    }

    @Override
    public TypeName inFrozen() {
      return new Frozen(this);
    }
  }

  /** {@code 'some.class.Name'}: the unescaped text of the string. */
  record Custom(String className) implements TypeName {
    /** Rejects null. */
    public Custom {
      Objects.requireNonNull(className, "className");
    }

    @Override
    public String toString() {
      return "'" + className + "'";
    }
  }
}
