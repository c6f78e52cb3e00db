package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TypeTextTest {
  private static final UserType ADDRESS =
      new UserType(
          "ks",
          "Address",
          List.of("street", "Number"),
          List.of(ScalarType.TEXT, ScalarType.INT),
          false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int",
        "text",
        "frozen<map<text, text>>",
        "map<text, bigint>",
        "set<text>",
        "list<frozen<list<int>>>",
        "frozen<tuple<int, frozen<set<text>>>>",
        "vector<float, 3>",
        "'com.example.Type'",
      })
  void aTypeReadsBackFromItsText(String text) {
    assertEquals(text, TypeText.parse(text).toCql());
  }

  @Test
  void everyScalarParsesFromItsText() {
    for (ScalarType type : ScalarType.values()) {
      assertEquals(type, TypeText.parse(type.toCql()));
      assertEquals(type, TypeText.parse(" " + type.name() + " "));
    }
    assertEquals(ScalarType.TEXT, TypeText.parse("varchar"));
  }

  @Test
  void userTypesAreFoundByNameAndKeyspace() {
    TypeText.UserTypes types =
        (keyspace, name) -> keyspace.equals("ks") && name.equals("Address") ? ADDRESS : null;
    assertEquals(ADDRESS, TypeText.parse("\"Address\"", "ks", types));
    assertEquals(ADDRESS.freeze(), TypeText.parse("frozen<\"Address\">", "ks", types));
    assertEquals("frozen<\"Address\">", ADDRESS.freeze().toCql());
    CqlType list = TypeText.parse("list<frozen<ks.\"Address\">>", "other", types);
    assertEquals("list<frozen<\"Address\">>", list.toCql());
    assertThrows(CqlException.class, () -> TypeText.parse("address", "ks", types));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int int",
        "list<int",
        "list<>",
        "map<int>",
        "'x",
        "vector<float>",
        "li st<int>"
      })
  void whatIsNoTypeIsRefused(String text) {
    assertThrows(CqlException.class, () -> TypeText.parse(text));
  }

  @Test
  void classNamesMatchCassandra() {
    String prefix = "org.apache.cassandra.db.marshal.";
    assertEquals(prefix + "Int32Type", ScalarType.INT.className());
    assertEquals(
        prefix + "MapType(" + prefix + "UTF8Type," + prefix + "Int32Type)",
        TypeText.parse("map<text, int>").className());
    assertEquals(
        prefix + "FrozenType(" + prefix + "SetType(" + prefix + "UUIDType))",
        TypeText.parse("frozen<set<uuid>>").className());
    assertEquals(
        prefix + "TupleType(" + prefix + "Int32Type," + prefix + "UTF8Type)",
        TypeText.parse("tuple<int, text>").className());
    assertEquals(
        prefix + "VectorType(" + prefix + "FloatType , 3)",
        TypeText.parse("vector<float, 3>").className());
  }

  @Test
  void shownClassNamesSayOnceThatATypeIsFrozen() {
    assertEquals("FrozenType(ListType(ListType(Int32Type)))", shown("frozen<list<list<int>>>"));
    assertEquals(
        "FrozenType(MapType(Int32Type,SetType(Int32Type)))",
        shown("frozen<map<int, frozen<set<int>>>>"));
    assertEquals(
        "MapType(Int32Type,FrozenType(SetType(SetType(Int32Type))))",
        shown("map<int, frozen<set<frozen<set<int>>>>>"));
    assertEquals(
        "TupleType(ListType(Int32Type),Int32Type)", shown("tuple<frozen<list<int>>, int>"));
    assertEquals(
        "VectorType(FrozenType(ListType(ListType(Int32Type))) , 2)",
        shown("vector<frozen<list<frozen<list<int>>>>, 2>"));
    assertEquals("Int32Type", shown("int"));
  }

  private static String shown(String type) {
    return TypeText.parse(type).shownClassName().replace("org.apache.cassandra.db.marshal.", "");
  }

  @Test
  void optionsMatchTheProtocol() {
    assertEquals("0009", option(ScalarType.INT, 5));
    assertEquals("000d", option(ScalarType.TEXT, 3));
    assertEquals("0015", option(ScalarType.DURATION, 5));
    assertEquals("0021000d0009", option(TypeText.parse("map<text, int>"), 5));
    assertEquals("002200200002", option(TypeText.parse("set<frozen<list<bigint>>>"), 4));
    assertEquals("003100020009000d", option(TypeText.parse("tuple<int, text>"), 4));
    assertEquals(
        "003000026b73000741646472657373000200067374726565740" + "00d00064e756d6265720009",
        option(ADDRESS, 5));
  }

  @Test
  void typesUnknownToOldClientsAreCustomTypes() {
    String name = "org.apache.cassandra.db.marshal.DurationType";
    String custom =
        "0000"
            + HexFormat.of().toHexDigits((short) name.length())
            + HexFormat.of().formatHex(name.getBytes(UTF_8));
    assertEquals(custom, option(ScalarType.DURATION, 4));
    assertEquals("0013", option(ScalarType.SMALLINT, 4));
    assertEquals("0000", option(ScalarType.SMALLINT, 3).substring(0, 4));
  }

  private static String option(CqlType type, int protocolVersion) {
    ByteWriter out = new ByteWriter(64);
    type.putOption(out, protocolVersion);
    return HexFormat.of().formatHex(out.toArray());
  }

  @Test
  void literalsAreParsedAsCql() {
    assertEquals("'it''s'", ScalarType.TEXT.toLiteral(WireValues.ofText("it's")));
    assertEquals("null", ScalarType.INT.toLiteral(null));
    assertEquals("0xcafe", ScalarType.BLOB.toLiteral(new byte[] {(byte) 0xCA, (byte) 0xFE}));
    assertEquals("'1970-01-01T00:00:00.000Z'", ScalarType.TIMESTAMP.toLiteral(new byte[8]));
    assertEquals(
        "{'a', 'b'}",
        TypeText.parse("set<text>").toLiteral(WireValues.ofTextSet(List.of("b", "a"))));
    assertEquals(
        "{'k': 'v'}",
        TypeText.parse("map<text, text>").toLiteral(WireValues.ofTextMap(Map.of("k", "v"))));
    assertEquals(
        "{street: 'x', \"Number\": null}",
        ADDRESS.toLiteral(WireValues.ofComponents(Arrays.asList(WireValues.ofText("x"), null))));
  }

  @Test
  void truncatedOrOverlongCollectionsAreRejected() {
    CqlType list = TypeText.parse("list<int>");
    byte[] good = WireValues.ofElements(List.of(WireValues.ofInt(1), WireValues.ofInt(2)));
    validate(list, good, good.length);
    for (int length = 0; length < good.length; length++) {
      int cut = length;
      CqlException refused = assertThrows(CqlException.class, () -> validate(list, good, cut));
      assertEquals("Not enough bytes to read a list", refused.getMessage());
    }
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    CqlException refused =
        assertThrows(CqlException.class, () -> validate(list, longer, longer.length));
    assertEquals("Unexpected extraneous bytes after list value", refused.getMessage());
  }

  private static void validate(CqlType type, byte[] value, int length) {
    type.validate(new ByteWriter(64).putBytes(value).segment(), 0, length);
  }
}
