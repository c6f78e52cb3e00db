package io.helenus.server.functions;

import static io.helenus.server.types.ScalarType.ASCII;
import static io.helenus.server.types.ScalarType.BIGINT;
import static io.helenus.server.types.ScalarType.BOOLEAN;
import static io.helenus.server.types.ScalarType.COUNTER;
import static io.helenus.server.types.ScalarType.DATE;
import static io.helenus.server.types.ScalarType.DECIMAL;
import static io.helenus.server.types.ScalarType.DOUBLE;
import static io.helenus.server.types.ScalarType.FLOAT;
import static io.helenus.server.types.ScalarType.INET;
import static io.helenus.server.types.ScalarType.INT;
import static io.helenus.server.types.ScalarType.SMALLINT;
import static io.helenus.server.types.ScalarType.TEXT;
import static io.helenus.server.types.ScalarType.TIME;
import static io.helenus.server.types.ScalarType.TIMESTAMP;
import static io.helenus.server.types.ScalarType.TIMEUUID;
import static io.helenus.server.types.ScalarType.TINYINT;
import static io.helenus.server.types.ScalarType.UUID;
import static io.helenus.server.types.ScalarType.VARINT;

import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import java.util.ArrayList;
import java.util.List;

/** The functions behind CAST: {@code cast_as_int} and so on. Stateless. */
final class CastFunctions {
  static final String PREFIX = "cast_as_";

  private static final List<ScalarType> NUMBERS =
      List.of(TINYINT, SMALLINT, INT, BIGINT, COUNTER, VARINT, FLOAT, DOUBLE, DECIMAL);
  private static final List<ScalarType> SHOWN_AS_TEXT =
      List.of(BOOLEAN, TIMEUUID, TIMESTAMP, DATE, TIME, UUID, INET);

  private CastFunctions() {}

  static List<CqlFunction> overloads(String name) {
    if (!name.startsWith(PREFIX)) {
      return List.of();
    }
    ScalarType to = ScalarType.named(name.substring(PREFIX.length()));
    List<CqlFunction> found = new ArrayList<>();
    if (to == TEXT || to == ASCII) {
      addTexts(name, to, found);
    } else if (to == DATE) {
      found.add(TimeFunctions.converting(name, TIMEUUID, DATE));
      found.add(TimeFunctions.converting(name, TIMESTAMP, DATE));
    } else if (to == TIMESTAMP) {
      found.add(TimeFunctions.converting(name, TIMEUUID, TIMESTAMP));
      found.add(TimeFunctions.converting(name, DATE, TIMESTAMP));
    } else if (to != null && to != COUNTER && NUMBERS.contains(to)) {
      addNumbers(name, to, found);
    }
    return found;
  }

  private static void addTexts(String name, ScalarType to, List<CqlFunction> found) {
    List<ScalarType> sources = new ArrayList<>(NUMBERS);
    sources.addAll(SHOWN_AS_TEXT);
    if (to == TEXT) {
      sources.add(ASCII);
    }
    for (ScalarType from : sources) {
      found.add(
          ScalarFunction.ofValues(
              name,
              from,
              to,
              (arguments, context, out) -> {
                if (arguments.length(0) == 0 && from != ASCII) {
                  return false;
                }
                if (from == VARINT || from == DECIMAL) {
                  Numbers.requireComputable(arguments.length(0));
                }
                out.putBytes(WireValues.ofText(from.toText(arguments.getBytes(0))));
                return true;
              }));
    }
  }

  private static void addNumbers(String name, ScalarType to, List<CqlFunction> found) {
    for (ScalarType from : NUMBERS) {
      if (from != to) {
        found.add(
            ScalarFunction.ofValues(
                name,
                from,
                to,
                (arguments, context, out) -> {
                  if (arguments.length(0) == 0) {
                    return false;
                  }
                  Numbers.put(to, Numbers.get(from, arguments.getBytes(0)), out);
                  return true;
                }));
      }
    }
  }
}
