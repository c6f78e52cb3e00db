package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Constants, bound bytes and texts, accepted, rejected and formatted as by the oracle. */
class OracleValuesTest {
  private static final boolean IN_UTC =
      ZoneId.systemDefault().getRules().equals(ZoneOffset.UTC.getRules());

  private static ScalarType scalar(String name) {
    return Objects.requireNonNull(ScalarType.named(name));
  }

  private static void assertNone(List<String> differences) {
    assertTrue(
        differences.isEmpty(), differences.size() + " differ:\n" + String.join("\n", differences));
  }

  @Test
  void constantsYieldTheBytesOrErrorsOfTheOracle() {
    List<String> differences = new ArrayList<>();
    for (String[] line : Recording.lines("/types/literals.tsv")) {
      ConstantKind kind = ConstantKind.valueOf(line[1]);
      if (kind == ConstantKind.HEX && line[0].equals("tinyint") && line[2].length() != 4) {
        continue; // Cassandra stores these bytes unchecked.
      }
      if (line[0].equals("timestamp") && !IN_UTC) {
        continue; // The oracle ran in UTC; texts without a zone are in local time.
      }
      String expected = line[3] + " " + Recording.unescape(line.length > 4 ? line[4] : "");
      String actual;
      try {
        byte[] value = scalar(line[0]).fromConstant(kind, Recording.unescape(line[2]), "v");
        actual = "ok " + (value.length == 0 ? "" : Recording.hex(value));
      } catch (CqlException e) {
        actual = "error " + e.getMessage();
      }
      if (!actual.equals(expected)) {
        differences.add(String.join(" ", line) + " <> " + actual);
      }
    }
    assertNone(differences);
  }

  @Test
  void boundBytesAreAcceptedOrRejectedAsByTheOracle() {
    List<String> differences = new ArrayList<>();
    for (String[] line : Recording.lines("/types/wire-validation.tsv")) {
      String expected = line[2] + (line.length > 3 ? " " + Recording.unescape(line[3]) : "");
      String actual;
      try {
        scalar(line[0]).validate(Recording.bytes(line[1]));
        actual = "ok";
      } catch (CqlException e) {
        actual = "error " + e.getMessage();
      }
      if (!actual.equals(expected)) {
        differences.add(String.join(" ", line) + " <> " + actual);
      }
    }
    assertNone(differences);
  }

  @Test
  void valuesAreFormattedAsByTheOracle() {
    List<String> differences = new ArrayList<>();
    for (String[] line : Recording.lines("/types/texts.tsv")) {
      String actual = scalar(line[0]).toText(Recording.bytes(line[1]));
      if (!actual.equals(Recording.unescape(line[2]))) {
        differences.add(String.join(" ", line) + " <> " + actual);
      }
    }
    assertNone(differences);
  }

  @Test
  void formattedValuesParseBack() {
    for (String[] line : Recording.lines("/types/texts.tsv")) {
      ScalarType type = scalar(line[0]);
      byte[] value = Recording.bytes(line[1]);
      boolean oneWay =
          switch (type) {
            case TIMESTAMP -> !type.toText(value).startsWith("2");
            case BOOLEAN -> value[0] > 1;
            case INET -> Recording.hex(value).contains("ffff0102");
            default -> false;
          };
      if (!oneWay) {
        String text = type.toText(value);
        assertEquals(line[1], Recording.hex(type.fromString(text)).replace("-", ""), text);
      }
    }
  }
}
