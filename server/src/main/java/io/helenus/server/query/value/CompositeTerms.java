package io.helenus.server.query.value;

import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.Argument;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles literals of lists, sets, maps, tuples, user types and vectors. As in Cassandra, a
 * literal first tests all its parts against the types they would have, then compiles them. One per
 * statement.
 */
final class CompositeTerms {
  private final FunctionTerms terms;

  /** Creates a compiler; the parts of literals are compiled by these terms. */
  CompositeTerms(FunctionTerms terms) {
    this.terms = terms;
  }

  /** Compiles a literal for a receiver; a constant if all its parts are constants. */
  Expression expression(Term literal, Receiver receiver) {
    if (literal instanceof Term.TupleLiteral(List<Term> elements)
        && isParenthesised(elements, receiver.type())) {
      return terms.expression(elements.getFirst(), receiver);
    }
    check(literal, receiver);
    CqlType type = partsType(literal, receiver.type());
    if (literal instanceof Term.UserTypeLiteral(List<Term.UserTypeLiteral.Field> fields)) {
      return userType(fields, receiver, (UserType) type);
    }
    List<Term> terms = parts(literal);
    List<Expression> parts = new ArrayList<>(terms.size());
    for (int i = 0; i < terms.size(); i++) {
      Receiver part = part(receiver, type, i);
      parts.add(this.terms.expression(terms.get(i), part, unsetError(type, i)));
    }
    if (type.isCollection() && parts.stream().anyMatch(CompositeTerms::needsBoundValue)) {
      throw CqlException.invalid(
          "Invalid "
              + kind(type)
              + " literal for "
              + receiver.name()
              + ": bind variables are not supported inside collection literals");
    }
    return composed(receiver.type(), parts);
  }

  private Expression userType(
      List<Term.UserTypeLiteral.Field> fields, Receiver receiver, UserType type) {
    Map<String, Term> values = byName(fields);
    List<Expression> parts = new ArrayList<>(type.fieldNames().size());
    for (int i = 0; i < type.fieldNames().size(); i++) {
      Term value = values.remove(type.fieldNames().get(i));
      parts.add(
          value == null
              ? new Expression.Constant(null, type.fieldTypes().get(i))
              : terms.expression(value, part(receiver, type, i), unsetError(type, i)));
    }
    for (Term.UserTypeLiteral.Field field : fields) {
      if (values.containsKey(field.name())) {
        throw CqlException.invalid(
            "Unknown field '" + field.name() + "' in value of user defined type " + type.name());
      }
    }
    return composed(type, parts);
  }

  private static Map<String, Term> byName(List<Term.UserTypeLiteral.Field> fields) {
    Map<String, Term> values = new HashMap<>();
    fields.forEach(field -> values.put(field.name(), field.value()));
    return values;
  }

  private static Expression composed(CqlType type, List<Expression> parts) {
    List<byte @Nullable []> values = new ArrayList<>(parts.size());
    for (Expression part : parts) {
      if (!(part instanceof Expression.Constant(byte[] value, CqlType ignored))) {
        return new Expression.Composed(type, parts);
      }
      values.add(value);
    }
    return new Expression.Constant(CompositeValues.assemble(type, values), type);
  }

  private static boolean needsBoundValue(Expression part) {
    return switch (part) {
      case Expression.Marker ignored -> true;
      case Expression.Call(var ignored, List<Expression> arguments) ->
          arguments.stream().anyMatch(CompositeTerms::needsBoundValue);
      case Expression.Composed(var ignored, List<Expression> parts) ->
          parts.stream().anyMatch(CompositeTerms::needsBoundValue);
      case Expression.Constant ignored -> false;
      case Expression.Input ignored -> false;
      case Expression.Aggregate ignored -> false;
    };
  }

  /**
   * How well a literal matches a type.
   *
   * @throws CqlException INVALID for a list literal if the type is neither a list nor a vector
   */
  Argument.Match match(Term literal, Receiver receiver) {
    if (literal instanceof Term.TupleLiteral(List<Term> elements)) {
      if (isParenthesised(elements, receiver.type())) {
        return terms.match(elements.getFirst(), receiver);
      }
      return isAccepted(literal, receiver) ? Argument.Match.WEAK : Argument.Match.NONE;
    }
    if (literal instanceof Term.UserTypeLiteral) {
      return isAccepted(literal, receiver) ? Argument.Match.WEAK : Argument.Match.NONE;
    }
    if (literal instanceof Term.ListLiteral) {
      requireListOrVector(receiver.type());
    }
    List<Term> parts = parts(literal);
    if (parts.isEmpty() && literal instanceof Term.SetLiteral) {
      boolean fits = receiver.type() instanceof SetType || receiver.type() instanceof MapType;
      return fits ? Argument.Match.WEAK : Argument.Match.NONE;
    }
    if (!isFor(literal, receiver.type())) {
      return Argument.Match.NONE;
    }
    if (receiver.type() instanceof VectorType vector && parts.size() != vector.dimension()) {
      return Argument.Match.NONE;
    }
    if (parts.isEmpty()) {
      return Argument.Match.WEAK;
    }
    Argument.Match worst = Argument.Match.EXACT;
    for (int i = 0; i < parts.size(); i++) {
      Argument.Match match = terms.match(parts.get(i), part(receiver, receiver.type(), i));
      worst = match.ordinal() > worst.ordinal() ? match : worst;
    }
    return worst;
  }

  private boolean isAccepted(Term literal, Receiver receiver) {
    try {
      check(literal, receiver);
      return true;
    } catch (CqlException e) {
      return false;
    }
  }

  /** The type of a literal outside of any context; null if only the context determines it. */
  @Nullable CqlType exactType(Term literal, Receiver receiver) {
    return switch (literal) {
      case Term.ListLiteral ignored -> null; // a list or a vector
      case Term.SetLiteral(List<Term> elements) -> {
        CqlType element = compatible(elements, receiver);
        yield element == null ? null : new SetType(element, true);
      }
      case Term.MapLiteral(List<Term.MapLiteral.Entry> entries) -> {
        CqlType key =
            compatible(entries.stream().map(Term.MapLiteral.Entry::key).toList(), receiver);
        CqlType value =
            compatible(entries.stream().map(Term.MapLiteral.Entry::value).toList(), receiver);
        yield key == null || value == null ? null : new MapType(key, value, true);
      }
      case Term.TupleLiteral(List<Term> elements) -> {
        List<CqlType> types = new ArrayList<>();
        for (Term element : elements) {
          CqlType type = isConstant(element) ? null : terms.argument(element, receiver).type();
          if (type == null) {
            yield null;
          }
          types.add(type);
        }
        yield new TupleType(types);
      }
      default -> null;
    };
  }

  private static boolean isConstant(Term term) {
    return term instanceof Term.Literal;
  }

  /** The type of the elements of an argument; null if those that are known do not fit together. */
  private @Nullable CqlType compatible(List<Term> elements, Receiver receiver) {
    return CqlType.compatible(
        elements.stream()
            .map(element -> terms.argument(element, receiver).type())
            .filter(Objects::nonNull)
            .toList());
  }

  /** Tests whether a literal can be a value of the receiver; throws if not. */
  private void check(Term literal, Receiver receiver) {
    CqlType type = receiver.type();
    if (literal instanceof Term.ListLiteral) {
      requireListOrVector(type);
    }
    if (literal instanceof Term.SetLiteral(List<Term> elements)
        && elements.isEmpty()
        && type instanceof MapType) {
      return;
    }
    if (!isFor(literal, type)) {
      throw CqlException.invalid(
          "Invalid "
              + kind(literal)
              + " literal for "
              + receiver.name()
              + " of type "
              + type.toCql());
    }
    if (literal instanceof Term.UserTypeLiteral(List<Term.UserTypeLiteral.Field> fields)) {
      checkFields(byName(fields), receiver, (UserType) type);
      return;
    }
    checkParts(parts(literal), receiver, partsType(literal, type));
  }

  private void checkParts(List<Term> parts, Receiver receiver, CqlType type) {
    if (type instanceof VectorType vector && parts.size() != vector.dimension()) {
      throw CqlException.invalid(
          "Invalid vector literal for "
              + receiver.name()
              + " of type "
              + type.toCql()
              + "; expected "
              + vector.dimension()
              + " elements, but given "
              + parts.size());
    }
    for (int i = 0; i < parts.size(); i++) {
      if (type instanceof TupleType tuple && i >= tuple.elements().size()) {
        throw CqlException.invalid(
            "Invalid tuple literal for "
                + receiver.name()
                + ": too many elements. Type "
                + receiver.type().toCql()
                + " expects "
                + tuple.elements().size()
                + " but got "
                + parts.size());
      }
      Receiver part = part(receiver, type, i);
      if (terms.match(parts.get(i), part) == Argument.Match.NONE) {
        throw CqlException.invalid(
            "Invalid "
                + kind(type)
                + " literal for "
                + receiver.name()
                + ": "
                + partName(type, i, parts.get(i))
                + " is not of type "
                + part.type().toCql());
      }
    }
  }

  private void checkFields(Map<String, Term> values, Receiver receiver, UserType type) {
    for (int i = 0; i < type.fieldNames().size(); i++) {
      Term value = values.get(type.fieldNames().get(i));
      if (value == null) {
        continue;
      }
      Receiver part = part(receiver, type, i);
      if (terms.match(value, part) == Argument.Match.NONE) {
        throw CqlException.invalid(
            "Invalid user type literal for "
                + receiver.name()
                + ": field "
                + type.fieldNames().get(i)
                + " is not of type "
                + part.type().toCql());
      }
    }
  }

  private static void requireListOrVector(CqlType type) {
    if (!(type instanceof ListType || type instanceof VectorType)) {
      throw CqlException.invalid(
          "Unexpected receiver type '" + type.toCql() + "'; only list and vector are expected");
    }
  }

  /** Whether {@code (a)} is merely {@code a} because the receiver is not a tuple. */
  static boolean isParenthesised(List<Term> elements, CqlType type) {
    return elements.size() == 1 && !type.isTuple();
  }

  /**
   * The type that determines the parts of a literal: as in Cassandra, a tuple literal is also one
   * for a user type, whose fields are then its components.
   */
  private static CqlType partsType(Term literal, CqlType type) {
    return literal instanceof Term.TupleLiteral && type instanceof UserType user
        ? new TupleType(user.fieldTypes())
        : type;
  }

  private static boolean isFor(Term literal, CqlType type) {
    return switch (literal) {
      case Term.ListLiteral ignored -> type instanceof ListType || type instanceof VectorType;
      case Term.SetLiteral ignored -> type instanceof SetType;
      case Term.MapLiteral ignored -> type instanceof MapType;
      case Term.UserTypeLiteral ignored -> type instanceof UserType;
      case Term.TupleLiteral ignored -> type.isTuple();
      default -> throw new IllegalArgumentException("not composite: " + literal);
    };
  }

  /** The parts of a literal in the order of {@link CompositeValues#assemble}. */
  private static List<Term> parts(Term literal) {
    return switch (literal) {
      case Term.ListLiteral(List<Term> elements) -> elements;
      case Term.SetLiteral(List<Term> elements) -> elements;
      case Term.TupleLiteral(List<Term> elements) -> elements;
      case Term.MapLiteral(List<Term.MapLiteral.Entry> entries) -> {
        List<Term> parts = new ArrayList<>(2 * entries.size());
        for (Term.MapLiteral.Entry entry : entries) {
          parts.add(entry.key());
          parts.add(entry.value());
        }
        yield parts;
      }
      default -> throw new IllegalArgumentException("not composite: " + literal);
    };
  }

  /** The receiver of a part, named as in Cassandra's errors and bind metadata. */
  private static Receiver part(Receiver whole, CqlType type, int index) {
    String name = whole.name();
    return switch (type) {
      case ListType(CqlType element, var ignored) -> part(whole, "value(" + name + ")", element);
      case SetType(CqlType element, var ignored) -> part(whole, "value(" + name + ")", element);
      case VectorType(CqlType element, var ignored) -> part(whole, "value(" + name + ")", element);
      case MapType map ->
          index % 2 == 0
              ? part(whole, "key(" + name + ")", map.key())
              : part(whole, "value(" + name + ")", map.value());
      case TupleType tuple -> part(whole, name + "[" + index + "]", tuple.elements().get(index));
      case UserType user ->
          part(whole, name + "." + user.fieldNames().get(index), user.fieldTypes().get(index));
      default -> throw new IllegalArgumentException("no parts: " + type.toCql());
    };
  }

  private static Receiver part(Receiver whole, String name, CqlType type) {
    return new Receiver(whole.keyspace(), whole.table(), name, type, null);
  }

  /** The error for an unset value of a part; null if it counts as null. */
  private static @Nullable String unsetError(CqlType type, int index) {
    return switch (type) {
      case TupleType ignored -> "Invalid unset value for tuple field number " + index;
      case UserType user when user.frozen() ->
          "Invalid unset value for field '"
              + user.fieldNames().get(index)
              + "' of user defined type "
              + user.name();
      default -> null;
    };
  }

  private static String partName(CqlType type, int index, Term part) {
    return switch (type) {
      case TupleType ignored -> "component " + index;
      case MapType ignored -> (index % 2 == 0 ? "key " : "value ") + part;
      default -> "value " + part;
    };
  }

  private static String kind(Term literal) {
    return switch (literal) {
      case Term.SetLiteral ignored -> "set";
      case Term.MapLiteral ignored -> "map";
      case Term.UserTypeLiteral ignored -> "user type";
      case Term.TupleLiteral ignored -> "tuple type";
      default -> "list";
    };
  }

  private static String kind(CqlType type) {
    return switch (type) {
      case ListType ignored -> "list";
      case SetType ignored -> "set";
      case MapType ignored -> "map";
      case VectorType ignored -> "vector";
      default -> "tuple";
    };
  }
}
