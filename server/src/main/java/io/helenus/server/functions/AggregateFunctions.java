package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code count}, {@code min}, {@code max}, {@code sum} and {@code avg}. Stateless. */
final class AggregateFunctions {
  private static final ScalarType[] NUMBERS = {
    ScalarType.TINYINT,
    ScalarType.SMALLINT,
    ScalarType.INT,
    ScalarType.BIGINT,
    ScalarType.COUNTER,
    ScalarType.FLOAT,
    ScalarType.DOUBLE,
    ScalarType.DECIMAL,
    ScalarType.VARINT
  };

  private AggregateFunctions() {}

  /** Returns the named function that accepts an argument of any type; null for any other name. */
  static @Nullable CqlFunction ofAnyType(String name, List<Argument> arguments) {
    return switch (name) {
      case "count" -> count(arguments);
      case "min", "max" -> extreme(name, arguments);
      default -> null;
    };
  }

  static List<CqlFunction> overloads(String name) {
    return switch (name) {
      case "count_rows" -> List.of(countRows());
      case "sum" -> {
        List<CqlFunction> found = new ArrayList<>();
        for (ScalarType type : NUMBERS) {
          found.add(new AggregateFunction(name, List.of(type), type, () -> new Sum(type)));
        }
        yield found;
      }
      case "avg" -> {
        List<CqlFunction> found = new ArrayList<>();
        for (ScalarType type : NUMBERS) {
          found.add(new AggregateFunction(name, List.of(type), type, () -> new Average(type)));
        }
        yield found;
      }
      default -> List.of();
    };
  }

  /** {@code count(*)}. */
  static AggregateFunction countRows() {
    return new AggregateFunction("count_rows", List.of(), ScalarType.BIGINT, Count::new);
  }

  private static CqlFunction count(List<Argument> arguments) {
    if (arguments.size() != 1) {
      throw CqlException.invalid(
          "Invalid number of arguments in call to function system.count: 1 required but "
              + arguments.size()
              + " provided");
    }
    CqlType type = ScalarType.BLOB;
    if (arguments.get(0) instanceof Argument.Typed typed) {
      type = typed.type();
    } else if (arguments.get(0).match(type) == Argument.Match.NONE) {
      throw CqlException.invalid(
          "Type error: "
              + arguments.get(0).text()
              + " cannot be passed as argument 0 of function system.count of type blob");
    }
    return new AggregateFunction("count", List.of(type), ScalarType.BIGINT, Count::new);
  }

  private static CqlFunction extreme(String name, List<Argument> arguments) {
    if (arguments.size() != 1) {
      throw CqlException.invalid(
          "Invalid number of arguments for function system." + name + "(any)");
    }
    CqlType type = arguments.get(0).type();
    if (type == null) {
      throw CqlException.invalid(
          "Cannot infer type of argument "
              + arguments.get(0).text()
              + " in call to function system."
              + name
              + "(any): use type casts to disambiguate");
    }
    return new AggregateFunction(name, List.of(type), type, () -> extreme(type, name));
  }

  /** The state that finds the smallest value if the name ends with min, otherwise the greatest. */
  static AggregateFunction.State extreme(CqlType type, String name) {
    KeyEncoding encoding =
        Objects.requireNonNullElse(type.freeze().keyEncoding(), ScalarKeyEncoding.BYTES);
    int sign = name.endsWith("min") ? -1 : 1;
    return ExtremeInteger.isFor(encoding) ? new ExtremeInteger(sign) : new Extreme(encoding, sign);
  }

  /** Whether values of a type can be summed. */
  static boolean isNumeric(CqlType type) {
    return type instanceof ScalarType && Arrays.asList(NUMBERS).contains(type);
  }

  /** Counts rows, or values that are not null. */
  private static final class Count implements AggregateFunction.State {
    private long count;

    @Override
    public void reset() {
      count = 0;
    }

    @Override
    public void add(FunctionArguments arguments) {
      if (!arguments.anyNull()) {
        count++;
      }
    }

    @Override
    public boolean result(ByteWriter out) {
      out.putLong(count);
      return true;
    }
  }
}
