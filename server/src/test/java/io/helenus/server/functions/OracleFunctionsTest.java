package io.helenus.server.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares calls, casts, aggregates and overload resolution with the oracle. */
class OracleFunctionsTest {
  private static final Clock FROZEN =
      new Clock() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };

  private final FunctionContext context = new FunctionContext(FROZEN, () -> 42);
  private final List<String> differences = new ArrayList<>();
  private int checked;

  private static List<String[]> lines(String kind) throws IOException {
    try (InputStream in =
        OracleFunctionsTest.class.getResourceAsStream("/functions/functions.tsv")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      return all.lines()
          .map(line -> line.split("\t", -1))
          .filter(fields -> fields[0].equals(kind))
          .toList();
    }
  }

  private static ScalarType scalar(String name) {
    return Objects.requireNonNull(ScalarType.named(name), name);
  }

  private static byte @Nullable [] value(String shown) {
    if (shown.equals("null")) {
      return null;
    }
    return shown.equals("-") ? new byte[0] : HexFormat.of().parseHex(shown);
  }

  private static String show(byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    return value.length == 0 ? "-" : HexFormat.of().formatHex(value);
  }

  /** The source text of a value in the statement. */
  private static String expression(String type, String shown) {
    if (shown.equals("null")) {
      return "(" + type + ")NULL";
    }
    String hex = "0x" + shown.replace("-", "");
    return type.equals("blob") ? hex : "system.blob_as_" + type + "(" + hex + ")";
  }

  private static Argument typed(String type, String shown) {
    return new Argument.Typed(expression(type, shown), scalar(type));
  }

  /** The signatures listed in an error have no fixed order. */
  private static String normal(String text) {
    int start = text.indexOf("signatures: ");
    int end = text.lastIndexOf(')');
    if (start < 0) {
      return text;
    }
    String[] signatures = text.substring(start + 12, end).split(", (?=system)", -1);
    Arrays.sort(signatures);
    return text.substring(0, start) + Arrays.toString(signatures) + text.substring(end);
  }

  private void compare(String[] line, int expectedAt, String actual) {
    String expected = line[expectedAt] + " " + line[expectedAt + 1].replace("\\\\", "\\");
    checked++;
    if (!normal(expected).equals(normal(actual))) {
      differences.add(String.join(" ", line) + " <> " + actual);
    }
  }

  private void assertAllSame(int atLeast) {
    assertTrue(
        differences.isEmpty(), differences.size() + " differ:\n" + String.join("\n", differences));
    assertTrue(checked >= atLeast, "checked: " + checked);
  }

  @Test
  void callsMatchTheOracle() throws IOException {
    for (String[] line : lines("call")) {
      String actual;
      try {
        Argument argument = typed(line[2], line[3]);
        CqlFunction found =
            NativeFunctions.resolve(null, line[1], List.of(argument), PartitionKeyTypes.NONE, null);
        ScalarFunction function = (ScalarFunction) found;
        actual = "ok " + show(function.execute(context, Arrays.asList(value(line[3]))));
      } catch (CqlException e) {
        actual = "error " + e.getMessage();
      }
      compare(line, 4, actual);
    }
    assertAllSame(700);
  }

  @Test
  void operationsMatchTheOracle() throws IOException {
    Map<String, String> names =
        Map.of("+", "_add", "-", "_substract", "*", "_multiply", "/", "_divide", "%", "_modulo");
    for (String[] line : lines("operation")) {
      String actual;
      try {
        List<Argument> arguments = List.of(typed(line[1], line[4]), typed(line[3], line[5]));
        String name = Objects.requireNonNull(names.get(line[2]));
        CqlFunction found =
            NativeFunctions.resolve("system", name, arguments, PartitionKeyTypes.NONE, null);
        ScalarFunction function = (ScalarFunction) found;
        List<byte @Nullable []> values = Arrays.asList(value(line[4]), value(line[5]));
        actual = "ok " + show(function.execute(context, values));
      } catch (CqlException e) {
        actual = "error " + e.getMessage();
      }
      compare(line, 6, actual);
    }
    assertAllSame(1400);
  }

  @Test
  void castsMatchTheOracle() throws IOException {
    for (String[] line : lines("cast")) {
      String actual;
      try {
        CqlFunction found =
            NativeFunctions.resolveCast(
                new Argument.Typed("c_" + line[1], scalar(line[1])), scalar(line[3]));
        byte[] given = value(line[2]);
        byte[] result =
            found instanceof ScalarFunction function
                ? function.execute(context, Arrays.asList(given))
                : given;
        actual = "ok " + show(result);
      } catch (CqlException e) {
        actual = "error " + e.getMessage();
      }
      compare(line, 4, actual);
    }
    assertAllSame(1800);
  }

  @Test
  void aggregatesMatchTheOracle() throws IOException {
    for (String[] line : lines("aggregate")) {
      Argument argument = new Argument.Typed("v", scalar(line[2]));
      AggregateFunction function =
          (AggregateFunction)
              NativeFunctions.resolve(
                  null, line[1], List.of(argument), PartitionKeyTypes.NONE, null);
      AggregateFunction.State state = function.newState();
      for (int round = 0; round < 2; round++) {
        state.reset();
        for (String shown : line[3].isEmpty() ? new String[0] : line[3].split(",", -1)) {
          state.add(FunctionArguments.of(Arrays.asList(value(shown))));
        }
      }
      ByteWriter out = new ByteWriter(16);
      compare(line, 4, "ok " + (state.result(out) ? show(out.toArray()) : "null"));
    }
    assertAllSame(500);
  }

  @Test
  void overloadsAreResolvedAndRejectedAsByTheOracle() throws IOException {
    for (String[] line : lines("resolve")) {
      boolean markersRefusedElsewhere = line[4].equals("Invalid amount of bind variables");
      if (!markersRefusedElsewhere) {
        compare(line, 3, resolve(line[1], line[2]));
      }
    }
    assertAllSame(900);
  }

  private static String resolve(String written, String given) {
    int dot = written.indexOf('.');
    String keyspace = dot < 0 ? null : written.substring(0, dot);
    List<Argument> arguments = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (String text : given.isEmpty() ? new String[0] : given.split(",", -1)) {
      Argument argument = argument(text);
      arguments.add(argument);
      texts.add(argument.text());
    }
    try {
      CqlFunction function =
          NativeFunctions.resolve(
              keyspace,
              written.substring(dot + 1).toLowerCase(Locale.ROOT),
              arguments,
              new PartitionKeyTypes(List.of(ScalarType.INT)),
              null);
      convertConstants(function, arguments);
      return "ok " + function.columnName(texts);
    } catch (CqlException e) {
      return "error " + e.getMessage();
    }
  }

  private static Argument argument(String text) {
    int colon = text.indexOf(':');
    if (colon > 0) {
      ConstantKind kind = ConstantKind.valueOf(text.substring(0, colon));
      String constant = text.substring(colon + 1);
      String shown = kind == ConstantKind.STRING ? "'" + constant + "'" : constant;
      return new Argument.Constant(shown, kind, constant);
    }
    return switch (text) {
      case "?" -> new Argument.Untyped("?");
      case "null" -> new Argument.Null("NULL");
      default -> new Argument.Typed("c_" + text, scalar(text));
    };
  }

  private static void convertConstants(CqlFunction function, List<Argument> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      CqlType type = function.argumentTypes().get(i);
      if (arguments.get(i) instanceof Argument.Constant constant
          && type instanceof ScalarType scalar) {
        assertTrue(scalar.fromConstant(constant.kind(), constant.constant(), "arg").length >= 0);
      }
    }
  }
}
