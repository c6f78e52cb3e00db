package io.helenus.server.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.ConstantKind;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.testing.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Function calls in terms, and functions of time and randomness. */
class NativeFunctionsTest {
  @RegisterExtension final Seeds seeds = Seeds.from(8);

  private static final long WALL_MICROS = 1_577_934_245_678_901L;

  private long wallMicros = WALL_MICROS;
  private final Random random = seeds.random();
  private final Clock clock =
      new Clock() {
        @Override
        public long wallMicros() {
          return wallMicros;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };
  private final FunctionContext context = new FunctionContext(clock, random::nextLong);

  private static final Argument FIVE = new Argument.Constant("5", ConstantKind.INTEGER, "5");

  private static ScalarFunction term(String name, CqlType receiver, Argument... arguments) {
    int dot = name.indexOf('.');
    return NativeFunctions.resolveTerm(
        dot < 0 ? null : name.substring(0, dot),
        name.substring(dot + 1),
        List.of(arguments),
        new PartitionKeyTypes(List.of(ScalarType.INT)),
        receiver,
        "v");
  }

  private static void refused(String text, String name, CqlType receiver, Argument... arguments) {
    CqlException e = assertThrows(CqlException.class, () -> term(name, receiver, arguments));
    assertEquals(text, e.getMessage());
  }

  private byte[] call(String name, CqlType type) {
    byte[] value = term(name, type).execute(context, List.of());
    return Objects.requireNonNull(value);
  }

  @Test
  void theReceiverTypeSelectsTheOverload() {
    assertEquals(ScalarType.INT, term("abs", ScalarType.INT, FIVE).returnType());
    assertEquals(ScalarType.BIGINT, term("abs", ScalarType.BIGINT, FIVE).returnType());
    assertEquals(ScalarType.INT, term("abs", ScalarType.VARINT, FIVE).returnType());
    Argument none = new Argument.Null("NULL");
    assertEquals(ScalarType.INT, term("abs", ScalarType.INT, none).returnType());
    assertEquals(ScalarType.TIMEUUID, term("now", ScalarType.UUID).returnType());
  }

  @Test
  void termsAreRejectedWithTheOraclesMessages() {
    refused("Unknown function nope called", "nope", ScalarType.INT, FIVE);
    refused("Unknown function other.abs called", "other.abs", ScalarType.INT, FIVE);
    refused(
        "Type error: cannot assign result of function system.now (type timeuuid) to v (type int)",
        "now",
        ScalarType.INT);
    refused(
        "Type error: cannot assign result of function system.token (type bigint) to v (type int)",
        "token",
        ScalarType.INT,
        FIVE);
    String aggregation = "Aggregation function are not supported in the where clause";
    refused(aggregation, "sum", ScalarType.INT, FIVE);
    refused(aggregation, "min", ScalarType.INT, FIVE);
    refused(
        "Type error: 5 cannot be passed as argument 0 of function system.count of type blob",
        "count",
        ScalarType.BIGINT,
        FIVE);
    refused(
        "Invalid number of arguments for function"
            + " system.similarity_cosine(vector<float, n>, vector<float, n>)",
        "similarity_cosine",
        ScalarType.FLOAT,
        FIVE);
  }

  @Test
  void timeUuidsAreUniqueAndIncrease() {
    Set<UUID> seen = new HashSet<>();
    long last = 0;
    for (int i = 0; i < 1000; i++) {
      wallMicros = WALL_MICROS + (i % 7) - (i % 3) * 5;
      UUID uuid = WireValues.toUuid(call("now", ScalarType.TIMEUUID));
      assertEquals(1, uuid.version());
      assertEquals(2, uuid.variant());
      assertTrue(seen.add(uuid));
      assertTrue(uuid.timestamp() > last);
      last = uuid.timestamp();
    }
  }

  @Test
  void aTimeUuidHasTheTimeOfTheClock() {
    byte[] now = call("now", ScalarType.TIMEUUID);
    Argument.Typed argument = new Argument.Typed("now()", ScalarType.TIMEUUID);
    ScalarFunction toTimestamp = term("to_timestamp", ScalarType.TIMESTAMP, argument);
    byte[] timestamp = Objects.requireNonNull(toTimestamp.execute(context, List.of(now)));
    assertEquals(WALL_MICROS / 1000, WireValues.toLong(timestamp));
  }

  @Test
  void theCurrentTimeComesFromTheClock() {
    byte[] timestamp = call("currenttimestamp", ScalarType.TIMESTAMP);
    assertEquals("2020-01-02T03:04:05.678Z", ScalarType.TIMESTAMP.toText(timestamp));
    assertEquals("2020-01-02", ScalarType.DATE.toText(call("current_date", ScalarType.DATE)));
    assertEquals(
        "03:04:05.678901000", ScalarType.TIME.toText(call("current_time", ScalarType.TIME)));
  }

  @Test
  void randomUuidsAreOfVersionFour() {
    Set<UUID> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      UUID uuid = WireValues.toUuid(call("uuid", ScalarType.UUID));
      assertEquals(4, uuid.version());
      assertEquals(2, uuid.variant());
      assertTrue(seen.add(uuid));
    }
  }

  @Test
  void theTokenOfSeveralColumnsIsThatOfTheirCompositeKey() {
    ScalarFunction token =
        NativeFunctions.resolveTerm(
            null,
            "token",
            List.of(FIVE, FIVE),
            new PartitionKeyTypes(List.of(ScalarType.INT, ScalarType.INT)),
            ScalarType.BIGINT,
            "partition key token");
    ByteWriter out = new ByteWriter(16).putInt(77);
    FunctionArguments arguments =
        FunctionArguments.of(List.of(WireValues.ofInt(5), WireValues.ofInt(6)));
    assertTrue(token.execute(arguments, context, out));
    assertEquals(12, out.size());
  }

  @Test
  void numbersThatWouldBlockAShardAreRejected() {
    byte[] huge = WireValues.ofDecimal(new BigDecimal(BigInteger.ONE, -2_000_000_000));
    byte[] tiny = WireValues.ofDecimal(new BigDecimal(BigInteger.ONE, 2_000_000_000));
    Argument decimal = new Argument.Typed("d", ScalarType.DECIMAL);
    ScalarFunction round = term("round", ScalarType.DECIMAL, decimal);
    assertThrows(CqlException.class, () -> round.execute(context, List.of(huge)));
    ScalarFunction exp = term("exp", ScalarType.DECIMAL, decimal);
    assertThrows(CqlException.class, () -> exp.execute(context, List.of(huge)));
    for (String name : List.of("_divide", "_modulo")) {
      ScalarFunction operation = term("system." + name, ScalarType.DECIMAL, decimal, decimal);
      assertThrows(CqlException.class, () -> operation.execute(context, List.of(huge, tiny)));
    }
    ScalarFunction sum = term("system._add", ScalarType.DECIMAL, decimal, decimal);
    assertNotNull(sum.execute(context, List.of(huge, tiny)));
    for (String name : List.of("sum", "avg")) {
      AggregateFunction aggregate =
          (AggregateFunction)
              NativeFunctions.resolve(null, name, List.of(decimal), PartitionKeyTypes.NONE, null);
      AggregateFunction.State state = aggregate.newState();
      assertThrows(CqlException.class, () -> state.add(FunctionArguments.of(List.of(huge))));
    }
    byte[] long128k = new byte[131_072];
    Argument varint = new Argument.Typed("n", ScalarType.VARINT);
    ScalarFunction negate = term("system._negate", ScalarType.VARINT, varint);
    assertThrows(CqlException.class, () -> negate.execute(context, List.of(long128k)));
    byte[] billion = WireValues.ofVarint(BigInteger.valueOf(1_000_000_000));
    ScalarFunction power = term("exp", ScalarType.VARINT, varint);
    assertThrows(CqlException.class, () -> power.execute(context, List.of(billion)));
    String digits = "1".repeat(100_000);
    assertThrows(CqlException.class, () -> ScalarType.VARINT.fromString(digits));
  }
}
