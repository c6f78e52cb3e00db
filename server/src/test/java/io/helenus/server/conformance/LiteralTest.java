package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiteralTest {
  private static void assertRoundTrip(DataType type, String text, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertEquals(text, Literal.format(type, bytes));
    List<Literal.Bound> parsed = Literal.parseAll(text, List.of(type));
    assertEquals(hex, HexFormat.of().formatHex(parsed.getFirst().bytes()));
  }

  @Test
  void valuesRoundTripAsLiterals() {
    assertRoundTrip(DataType.Scalar.INT, "-2", "fffffffe");
    assertRoundTrip(DataType.Scalar.TEXT, "'it''s\\n'", "697427730a");
    assertRoundTrip(DataType.Scalar.DECIMAL, "1.50", "000000020096");
    assertRoundTrip(DataType.Scalar.DATE, "1970-01-02", "80000001");
    assertRoundTrip(DataType.Scalar.TIMESTAMP, "1970-01-01T00:00:00.001Z", "0000000000000001");
    assertRoundTrip(DataType.Scalar.DURATION, "1mo-2d300ns", "02038258");
    assertRoundTrip(
        DataType.Scalar.DURATION, "0mo0d9223372036854775807ns", "0000" + "ff" + "fffffffffffffffe");
    assertRoundTrip(DataType.Scalar.INET, "10.0.0.1", "0a000001");
  }

  @Test
  void collectionsAndTuplesNest() {
    DataType pair = new DataType.TupleOf(List.of(DataType.Scalar.TINYINT, DataType.Scalar.TEXT));
    assertRoundTrip(
        new DataType.ListOf(pair),
        "[(1, 'a'), (2, null)]",
        "00000002"
            + "0000000a"
            + "0000000101"
            + "0000000161"
            + "00000009"
            + "0000000102"
            + "ffffffff");
    assertRoundTrip(
        new DataType.MapOf(DataType.Scalar.TEXT, DataType.Scalar.TINYINT),
        "{'a: b': 1}",
        "00000001" + "00000004" + "613a2062" + "0000000101");
  }

  @Test
  void valuesThatWouldNotRoundTripAreWrittenAsBytes() {
    assertEquals("raw:0x0001", Literal.format(DataType.Scalar.VARINT, new byte[] {0, 1}));
    assertEquals("raw:0x02", Literal.format(DataType.Scalar.BOOLEAN, new byte[] {2}));
    assertTrue(Literal.format(DataType.Scalar.INT, new byte[] {1}).startsWith("raw:0x01"));
  }

  @Test
  void nullEmptyAndUnsetAreDistinct() {
    assertEquals("null", Literal.format(DataType.Scalar.INT, null));
    assertEquals("empty", Literal.format(DataType.Scalar.INT, new byte[0]));
    assertEquals("''", Literal.format(DataType.Scalar.TEXT, new byte[0]));
    assertTrue(Literal.parseAll("unset", List.of(DataType.Scalar.INT)).getFirst().unset());
  }
}
