package io.helenus.server.functions;

import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TupleType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a call, as far as overload resolution needs it. {@code text} is shown in error
 * messages. Immutable.
 */
public sealed interface Argument {
  /** The type of a constant with more characters is determined without parsing it. */
  int LONG_CONSTANT = 400;

  /** How well an argument matches a type. */
  enum Match {
    /** The argument has exactly this type. */
    EXACT,
    /** The argument can be converted to this type implicitly. */
    WEAK,
    /** The argument cannot be assigned to this type. */
    NONE
  }

  /** The argument as in the statement. */
  String text();

  /** Matches the argument against a type. */
  Match match(CqlType wanted);

  /** The type of the argument; null if only the context determines it. */
  @Nullable CqlType type();

  /** An argument of a known type: a column, a function's result, a type hint. */
  record Typed(String text, CqlType type) implements Argument {
    @Override
    public Match match(CqlType wanted) {
      if (wanted.equals(type)) {
        return Match.EXACT;
      }
      return wanted.isValueCompatibleWith(type) ? Match.WEAK : Match.NONE;
    }
  }

  /**
   * A constant.
   *
   * @param text as shown in error texts: a string with its quotes
   * @param kind its kind
   * @param constant its text as {@link ScalarType#fromConstant} takes it
   */
  record Constant(String text, ConstantKind kind, String constant) implements Argument {
    private static final int UUID_VERSION = 14;

    @Override
    public Match match(CqlType wanted) {
      if (wanted.equals(type())) {
        return Match.EXACT;
      }
      if (wanted instanceof ScalarType scalar) {
        return scalar.accepts(kind) ? Match.WEAK : Match.NONE;
      }
      return wanted instanceof TupleType ? Match.WEAK : Match.NONE;
    }

    /**
     * The type of a constant whose context does not determine one; tinyint for hex and timeuuid for
     * a UUID of version 1, as in Cassandra.
     */
    @Override
    public CqlType type() {
      return switch (kind) {
        case STRING -> isAscii() ? ScalarType.ASCII : ScalarType.TEXT;
        case INTEGER -> integerType();
        case UUID -> constant.charAt(UUID_VERSION) == '1' ? ScalarType.TIMEUUID : ScalarType.UUID;
        case FLOAT -> floatType();
        case BOOLEAN -> ScalarType.BOOLEAN;
        case HEX -> ScalarType.TINYINT;
        case DURATION -> ScalarType.DURATION;
      };
    }

    private boolean isAscii() {
      return constant.chars().allMatch(c -> c < 0x80);
    }

    private CqlType integerType() {
      if (constant.length() > LONG_CONSTANT) {
        return ScalarType.VARINT;
      }
      int bits = new BigInteger(constant).bitLength();
      return bits < 32 ? ScalarType.INT : bits < 64 ? ScalarType.BIGINT : ScalarType.VARINT;
    }

    private CqlType floatType() {
      if (constant.endsWith("NaN") || constant.endsWith("Infinity")) {
        return ScalarType.DOUBLE;
      }
      if (constant.length() > LONG_CONSTANT) {
        return ScalarType.DECIMAL;
      }
      BigDecimal exact = new BigDecimal(constant);
      double nearest = exact.doubleValue();
      boolean isDouble =
          !Double.isInfinite(nearest) && exact.compareTo(BigDecimal.valueOf(nearest)) == 0;
      return isDouble ? ScalarType.DOUBLE : ScalarType.DECIMAL;
    }
  }

  /**
   * An argument whose type depends on what it is passed to, such as the result of an overloaded
   * function. Remembers how it matches each type. One statement at a time.
   */
  final class Dependent implements Argument {
    private final String text;
    private final Function<CqlType, Match> matching;
    private final Supplier<@Nullable CqlType> exactType;
    private final Map<CqlType, Match> matches = new HashMap<>();
    private @Nullable Optional<CqlType> known;

    /** Creates an argument; both functions are called at most once per type. */
    public Dependent(
        String text, Function<CqlType, Match> matching, Supplier<@Nullable CqlType> exactType) {
      this.text = text;
      this.matching = matching;
      this.exactType = exactType;
    }

    @Override
    public String text() {
      return text;
    }

    @Override
    public Match match(CqlType wanted) {
      Match match = matches.get(wanted);
      if (match == null) {
        match = matching.apply(wanted);
        matches.put(wanted, match);
      }
      return match;
    }

    @Override
    public @Nullable CqlType type() {
      Optional<CqlType> type = known;
      if (type == null) {
        type = Optional.ofNullable(exactType.get());
        known = type;
      }
      return type.orElse(null);
    }
  }

  /** A null: has no type and matches every type but counter. */
  record Null(String text) implements Argument {
    @Override
    public Match match(CqlType wanted) {
      return wanted.isCounter() ? Match.NONE : Match.WEAK;
    }

    @Override
    public @Nullable CqlType type() {
      return null;
    }
  }

  /**
   * {@code [a, b]} in a selection: a list or a vector.
   *
   * @param size the number of elements
   * @param matching matches the literal against a type
   * @param listType its type where nothing tells that it is a vector
   */
  record ArrayLiteral(
      String text,
      int size,
      Function<CqlType, Match> matching,
      Supplier<@Nullable CqlType> listType)
      implements Argument {
    @Override
    public Match match(CqlType wanted) {
      return matching.apply(wanted);
    }

    @Override
    public @Nullable CqlType type() {
      return listType.get();
    }
  }

  /** A bind marker: has no type and matches every type. */
  record Untyped(String text) implements Argument {
    @Override
    public Match match(CqlType wanted) {
      return Match.WEAK;
    }

    @Override
    public @Nullable CqlType type() {
      return null;
    }
  }

  /**
   * A selection from a value that has no such part. It is refused after the call: it has no type
   * and matches none.
   */
  record Refused(String text) implements Argument {
    @Override
    public Match match(CqlType wanted) {
      return Match.NONE;
    }

    @Override
    public @Nullable CqlType type() {
      return null;
    }
  }

  /**
   * An element in parentheses, of no type by itself.
   *
   * @param only the element, which fits what it would fit without parentheses
   * @param tuple the same as a tuple of one element, which it is where a tuple is wanted
   */
  record Parenthesised(String text, Argument only, Argument tuple) implements Argument {
    @Override
    public Match match(CqlType wanted) {
      return (wanted.isTuple() ? tuple : only).match(wanted);
    }

    @Override
    public @Nullable CqlType type() {
      return tuple.type();
    }
  }
}
