package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A value of a small pool, so that rows collide: as a CQL term, and as bound in a script (see
 * {@link Literal}).
 */
public record GeneratedValue(String term, String bound) {
  private static final Map<DataType.Scalar, List<GeneratedValue>> POOL = pool();
  private static final Pattern TRAILING_NULLS = Pattern.compile("(?:, null)+(\\))");
  private static final GeneratedValue NULL = new GeneratedValue("null", "null");

  /** Terms that are valid for few types, so that most receivers reject them. */
  private static final List<String> ODD_TERMS =
      List.of(
          "'abc'",
          "''",
          "1",
          "-1",
          "1.5",
          "1e400",
          "-1e400",
          "1e39",
          "99999999999",
          "300",
          "-129",
          "40000",
          "9223372036854775808",
          "-9223372036854775809",
          "true",
          "FALSE",
          "0x",
          "0x00",
          "0xZZ",
          "0x0",
          "NaN",
          "-NaN",
          "Infinity",
          "-Infinity",
          "null",
          "NULL",
          "'null'",
          "1d",
          "1mo",
          "P1Y",
          "P1Y2M3DT4H5M6S",
          "PT1H",
          "P0001-01-01T00:00:00",
          "1x",
          "-1d",
          "1d2mo",
          "'2020-13-01'",
          "'2020-02-30'",
          "'2020-01-01T25:00:00'",
          "'2020-01-01'",
          "'2020-01-01T10:00:00+0000'",
          "'2020-01-01 10:00:00.123Z'",
          "'10:61:00'",
          "'24:00:00'",
          "'1:2:3'",
          "'12:30'",
          "'256.0.0.1'",
          "'1.2.3'",
          "'::1'",
          "'fe80::1%eth0'",
          "'00000000-0000-0000-0000'",
          "00000000-0000-1000-0000-000000000000",
          "00000000-0000-4000-0000-000000000000",
          "'00000000-0000-1000-0000-000000000000'",
          "[1]",
          "[]",
          "{1}",
          "{}",
          "{1: 2}",
          "(1, 2)",
          "(1)",
          "blobAsInt(0x00000001)",
          "blobAsInt(0x01)",
          "intAsBlob(1)",
          "(int) 1",
          "(text) 'a'",
          "(int) 'a'",
          "(blob) 0x01",
          "CAST(1 AS int)",
          "nosuch(1)",
          "token(1)",
          "1 + 1",
          "-(1)",
          "count(1)",
          "max(1)",
          "'é'",
          "$$a$$",
          "abc",
          "\"abc\"",
          "totimestamp('x')",
          "minTimeuuid('2020-01-01')",
          "minTimeuuid(0)",
          "textAsBlob('a')",
          "asciiAsBlob('a')",
          "system.intAsBlob(1)",
          "nowhere.f(1)",
          "(nosuch) 1",
          "(list<int>) [1]",
          "-'a'",
          "+1",
          "01",
          "-0",
          "0.0",
          "-0.0",
          "1.",
          ".5",
          "1e5",
          "1E-5",
          "0001",
          "'\t'",
          "'a''b'");

  /** Bytes that are valid for few types. */
  private static final List<String> ODD_BYTES =
      List.of(
          "raw:0x00",
          "raw:0x0001",
          "raw:0x00000001",
          "raw:0x0000000000000001",
          "raw:0xff",
          "raw:0xc3",
          "raw:0x000000000000000000000000000000",
          "raw:0x7fffffff",
          "raw:0x000000000000",
          "raw:0x00000000000040008000000000000000",
          "raw:0x00000000000010008000000000000000",
          "empty",
          "raw:0x0102030405",
          "raw:0xffffffffffffffff",
          "raw:0x02",
          "raw:0x000000000001");

  private static Map<DataType.Scalar, List<GeneratedValue>> pool() {
    Map<DataType.Scalar, List<GeneratedValue>> pool = new EnumMap<>(DataType.Scalar.class);
    pool.put(DataType.Scalar.ASCII, same("'a'", "'b'", "''", "'A'", "'a b'", "'aa'"));
    pool.put(
        DataType.Scalar.TEXT,
        same("'a'", "'b'", "''", "'é'", "'日本'", "'aa'", "'it''s'", "'A'", "'e\u0301'"));
    pool.put(
        DataType.Scalar.BIGINT,
        same("0", "1", "2", "-1", "9223372036854775807", "-9223372036854775808"));
    pool.put(DataType.Scalar.INT, same("0", "1", "2", "3", "-1", "2147483647", "-2147483648"));
    pool.put(DataType.Scalar.SMALLINT, same("0", "1", "2", "-1", "32767", "-32768"));
    pool.put(DataType.Scalar.TINYINT, same("0", "1", "2", "-1", "127", "-128"));
    pool.put(
        DataType.Scalar.VARINT,
        same("0", "1", "-1", "127", "128", "-129", "100000000000000000000", "-65536"));
    pool.put(DataType.Scalar.BLOB, same("0x", "0x00", "0x01", "0xff", "0x0001", "0x61"));
    pool.put(DataType.Scalar.BOOLEAN, same("true", "false"));
    pool.put(
        DataType.Scalar.DECIMAL, same("0", "1", "-1", "1.5", "-1.25", "100.001", "1E+10", "1E-10"));
    pool.put(DataType.Scalar.DOUBLE, floating());
    pool.put(DataType.Scalar.FLOAT, floating());
    pool.put(
        DataType.Scalar.INET, quoted("127.0.0.1", "0.0.0.0", "255.255.255.255", "10.0.0.1", "::1"));
    pool.put(DataType.Scalar.DATE, quoted("2020-01-01", "1970-01-01", "1969-12-31", "2020-02-29"));
    pool.put(
        DataType.Scalar.TIME, quoted("00:00:00", "23:59:59.999999999", "12:34:56", "00:00:01"));
    pool.put(
        DataType.Scalar.TIMESTAMP,
        List.of(
            new GeneratedValue("0", "1970-01-01T00:00:00Z"),
            new GeneratedValue("'2020-01-01 00:00:00+0000'", "2020-01-01T00:00:00Z"),
            new GeneratedValue("'2020-01-01T00:00:00.001Z'", "2020-01-01T00:00:00.001Z"),
            new GeneratedValue("-1", "1969-12-31T23:59:59.999Z")));
    pool.put(DataType.Scalar.TIMEUUID, timeUuids());
    List<GeneratedValue> uuids = new ArrayList<>(timeUuids());
    uuids.addAll(
        same("00000000-0000-4000-0000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"));
    pool.put(DataType.Scalar.UUID, uuids);
    pool.put(
        DataType.Scalar.DURATION,
        List.of(
            new GeneratedValue("1d", "0mo1d0ns"),
            new GeneratedValue("1mo2d", "1mo2d0ns"),
            new GeneratedValue("-1h", "0mo0d-3600000000000ns"),
            new GeneratedValue("P1Y", "12mo0d0ns")));
    pool.put(DataType.Scalar.COUNTER, same("1"));
    return pool;
  }

  private static List<GeneratedValue> same(String... terms) {
    List<GeneratedValue> values = new ArrayList<>();
    for (String term : terms) {
      values.add(new GeneratedValue(term, term));
    }
    return values;
  }

  private static List<GeneratedValue> quoted(String... terms) {
    List<GeneratedValue> values = new ArrayList<>();
    for (String term : terms) {
      values.add(new GeneratedValue("'" + term + "'", term));
    }
    return values;
  }

  private static List<GeneratedValue> floating() {
    return same("0.0", "1.0", "-1.0", "1.5", "1.0E10", "NaN", "Infinity", "-Infinity");
  }

  private static List<GeneratedValue> timeUuids() {
    return same(
        "50554d6e-29bb-11e5-b345-feff819cdc9f",
        "50554d6e-29bb-11e5-0000-000000000000",
        "00000000-0000-1000-8080-808080808080",
        "13814000-1dd2-11b2-7f7f-7f7f7f7f7f7f",
        "ffffffff-ffff-1fff-bfff-ffffffffffff");
  }

  /** A value of any type. */
  static GeneratedValue of(DataType type, Choices choices) {
    return switch (type) {
      case DataType.Scalar scalar -> ofScalar(scalar, choices);
      case DataType.ListOf list -> {
        List<GeneratedValue> elements = new ArrayList<>();
        for (int i = choices.below(4); i > 0; i--) {
          elements.add(of(list.element(), choices));
        }
        yield joined("[", elements, "]");
      }
      case DataType.SetOf set -> joined("{", distinct(set.element(), choices), "}");
      case DataType.MapOf map ->
          joined(
              "{",
              distinct(map.key(), choices).stream()
                  .map(key -> pair(": ", key, of(map.value(), choices)))
                  .toList(),
              "}");
      case DataType.TupleOf tuple -> {
        int size =
            choices.chance(90)
                ? tuple.elements().size()
                : 1 + choices.below(tuple.elements().size());
        yield joined(
            "(",
            tuple.elements().subList(0, size).stream()
                .map(each -> choices.chance(10) ? NULL : of(each, choices))
                .toList(),
            ")");
      }
      case DataType.UserType user -> ofUserType(user, choices);
      case DataType.VectorOf vector -> GeneratedVectors.of(vector, choices);
      case DataType.Custom custom -> throw new IllegalArgumentException(custom.className());
    };
  }

  private static GeneratedValue ofUserType(DataType.UserType user, Choices choices) {
    List<String> terms = new ArrayList<>();
    List<String> bound = new ArrayList<>();
    for (int i = 0; i < user.fields().size(); i++) {
      String field = user.fields().get(i) + ": ";
      GeneratedValue value = choices.chance(15) ? NULL : of(user.types().get(i), choices);
      if (value != NULL || choices.chance(30)) {
        terms.add(field + value.term);
      }
      bound.add(field + value.bound);
    }
    if (terms.isEmpty()) {
      terms.add(user.fields().getFirst() + ": null");
    }
    return new GeneratedValue(
        "{" + String.join(", ", terms) + "}", "{" + String.join(", ", bound) + "}");
  }

  private static List<GeneratedValue> distinct(DataType type, Choices choices) {
    Map<String, GeneratedValue> values = new LinkedHashMap<>();
    for (int i = choices.below(4); i > 0; i--) {
      GeneratedValue value = of(type, choices);
      values.put(sorted(withoutTrailingNulls(value.bound)), value);
    }
    return new ArrayList<>(values.values());
  }

  /** A text that is the same for sets that compare equal. */
  private static String sorted(String bound) {
    char[] characters = bound.toCharArray();
    Arrays.sort(characters);
    return new String(characters);
  }

  /** A text that is the same for tuples that compare equal, which may omit the last elements. */
  public static String withoutTrailingNulls(String bound) {
    return TRAILING_NULLS.matcher(bound).replaceAll("$1");
  }

  private static GeneratedValue pair(String separator, GeneratedValue left, GeneratedValue right) {
    return new GeneratedValue(
        left.term + separator + right.term, left.bound + separator + right.bound);
  }

  private static GeneratedValue joined(String open, List<GeneratedValue> values, String close) {
    return new GeneratedValue(
        open + String.join(", ", values.stream().map(GeneratedValue::term).toList()) + close,
        open + String.join(", ", values.stream().map(GeneratedValue::bound).toList()) + close);
  }

  /** A value of the type's pool; the first few are more likely. */
  private static GeneratedValue ofScalar(DataType.Scalar type, Choices choices) {
    List<GeneratedValue> pool = POOL.getOrDefault(type, List.of(new GeneratedValue("0", "0")));
    return choices.chance(60)
        ? pool.get(choices.below(Math.min(3, pool.size())))
        : choices.oneOf(pool);
  }

  static String oddTerm(Choices choices) {
    return choices.oneOf(ODD_TERMS);
  }

  static String oddBytes(Choices choices) {
    return choices.oneOf(ODD_BYTES);
  }
}
