package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.helenus.server.error.CqlError;
import io.helenus.server.protocol.Event.SchemaChange.Change;
import io.helenus.server.protocol.Event.SchemaChange.Target;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.storage.bytes.ByteWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares response bodies with those recorded from Cassandra 5.0.9. */
class ResponsesTest {
  private static final Map<String, byte[]> RECORDED = recorded();
  private static final int BODY_AT = 9;

  private static Map<String, byte[]> recorded() {
    Map<String, byte[]> frames = new HashMap<>();
    try (InputStream in = ResponsesTest.class.getResourceAsStream("/protocol/results.txt")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          int end = line.lastIndexOf(' ');
          frames.put(line.substring(0, end), HexFormat.of().parseHex(line.substring(end + 1)));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return frames;
  }

  private static byte[] body(int version, String name) {
    byte[] frame = Objects.requireNonNull(RECORDED.get(version + " " + name), name);
    return Arrays.copyOfRange(frame, BODY_AT, frame.length);
  }

  private static void assertBody(int version, String name, ByteWriter out) {
    assertEquals(
        HexFormat.of().formatHex(body(version, name)), HexFormat.of().formatHex(out.toArray()));
  }

  private static ResultColumns columns(String table, Object... namesAndTypes) {
    ResultColumns.Column[] columns = new ResultColumns.Column[namesAndTypes.length / 2];
    for (int i = 0; i < columns.length; i++) {
      columns[i] =
          new ResultColumns.Column(
              "h4_gold", table, (String) namesAndTypes[2 * i], (CqlType) namesAndTypes[2 * i + 1]);
    }
    return new ResultColumns(List.of(columns));
  }

  private static void row(ByteWriter out, String... values) {
    for (String value : values) {
      if (value.equals("null")) {
        out.putInt(-1);
      } else {
        byte[] bytes = HexFormat.of().parseHex(value);
        out.putInt(bytes.length).putBytes(bytes);
      }
    }
  }

  private static byte[] idIn(byte[] preparedBody) {
    return Arrays.copyOfRange(preparedBody, 6, 22);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void rowsWithMetadata(int version) {
    ByteWriter out = new ByteWriter(16);
    ResultColumns columns =
        columns(
            "t",
            "a",
            ScalarType.INT,
            "b",
            ScalarType.TEXT,
            "c",
            ScalarType.BLOB,
            "e",
            ScalarType.TIMEUUID,
            "d",
            ScalarType.DOUBLE);
    Responses.rowsHeader(out, version, columns);
    out.putInt(2);
    row(out, "00000001", "78", "01", "null", "3ff8000000000000");
    row(out, "00000001", "78", "02", "null", "null");
    assertBody(version, "rows", out);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void rowsWithoutMetadata(int version) {
    ByteWriter out = new ByteWriter(16);
    ResultColumns columns = columns("t", "a", ScalarType.INT, "b", ScalarType.TEXT);
    Responses.rowsHeader(
        out, version, columns, true, java.lang.foreign.MemorySegment.NULL, 0, -1, null);
    out.putInt(2);
    row(out, "00000001", "78", "00000001", "78");
    assertBody(version, "rows-skipping-metadata", out);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void aPageHasThePagingStateOfTheNextOne(int version) {
    ResultColumns columns = columns("t", "a", ScalarType.INT, "c", ScalarType.BLOB);
    for (boolean skip : new boolean[] {false, true}) {
      String name = skip ? "rows-of-a-page-skipping-metadata" : "rows-of-a-page";
      byte[] recorded = body(version, name);
      int length = recorded[15];
      ByteWriter state = new ByteWriter(16).putBytes(recorded, 16, length);
      ByteWriter out = new ByteWriter(16);
      Responses.rowsHeader(out, version, columns, skip, state.segment(), 0, length, null);
      out.putInt(1);
      row(out, "00000001", "01");
      assertBody(version, name, out);
    }
  }

  @Test
  void changedMetadataIsSentEvenIfTheClientSkipsIt() {
    byte[] recorded = body(5, "executed-with-another-metadata-id");
    byte[] id = Arrays.copyOfRange(recorded, 14, 30);
    ByteWriter out = new ByteWriter(16);
    ResultColumns columns = columns("t", "d", ScalarType.DOUBLE, "b", ScalarType.TEXT);
    Responses.rowsHeader(out, 5, columns, true, java.lang.foreign.MemorySegment.NULL, 0, -1, id);
    out.putInt(2);
    row(out, "3ff8000000000000", "78", "null", "78");
    assertBody(5, "executed-with-another-metadata-id", out);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void preparedStatements(int version) {
    ResultColumns markers =
        columns(
            "t",
            "b",
            ScalarType.TEXT,
            "d",
            ScalarType.DOUBLE,
            "c",
            ScalarType.BLOB,
            "a",
            ScalarType.INT);
    prepared(version, "prepared-insert", markers, new int[] {3, 0}, null);
    prepared(
        version,
        "prepared-select",
        columns("t", "a", ScalarType.INT, "b", ScalarType.TEXT),
        new int[] {0, 1},
        columns("t", "d", ScalarType.DOUBLE, "b", ScalarType.TEXT));
    prepared(
        version,
        "prepared-no-markers",
        columns("t"),
        new int[0],
        columns("t", "a", ScalarType.INT));
    prepared(version, "prepared-use", columns("t"), new int[0], null);
    ResultColumns collections =
        columns(
            "u",
            "k",
            ScalarType.INT,
            "m",
            new MapType(ScalarType.TEXT, new ListType(ScalarType.INT, true), false),
            "s",
            new SetType(ScalarType.UUID, false),
            "tu",
            new TupleType(List.of(ScalarType.INT, ScalarType.BIGINT)),
            "du",
            ScalarType.DURATION,
            "sm",
            ScalarType.SMALLINT);
    prepared(version, "prepared-collections", collections, new int[] {0}, null);
  }

  private static void prepared(
      int version,
      String name,
      ResultColumns markers,
      int[] indexes,
      @org.jspecify.annotations.Nullable ResultColumns result) {
    byte[] recorded = body(version, name);
    byte[] metadataId = version >= 5 ? Arrays.copyOfRange(recorded, 24, 40) : new byte[0];
    ByteWriter out = new ByteWriter(16);
    Responses.prepared(
        out, version, new PreparedMetadata(idIn(recorded), metadataId, markers, indexes, result));
    assertBody(version, name, out);
  }

  @Test
  void statementsWithoutRowsHaveTheSameMetadataIdAsInCassandra() {
    byte[] recorded = body(5, "prepared-insert");
    assertArrayEquals(
        Arrays.copyOfRange(recorded, 24, 40),
        new PreparedMetadata(new byte[0], columns("t"), new int[0], null).resultMetadataId());
    assertFalse(Arrays.equals(columns("t", "a", ScalarType.INT).id(), ResultColumns.idOfNone()));
    assertFalse(
        Arrays.equals(
            columns("t", "a", ScalarType.INT).id(), columns("t", "a", ScalarType.TEXT).id()));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void smallResults(int version) {
    ByteWriter out = new ByteWriter(16);
    Responses.voidResult(out);
    assertBody(version, "void", out);
    Responses.setKeyspace(out.clear(), "h4_gold");
    assertBody(version, "set-keyspace", out);
    changed(version, "keyspace-created", Event.SchemaChange.ofKeyspace(Change.CREATED, "h4_gold2"));
    changed(version, "table-created", Event.SchemaChange.ofTable(Change.CREATED, "h4_gold2", "t"));
    changed(version, "table-altered", Event.SchemaChange.ofTable(Change.UPDATED, "h4_gold2", "t"));
    changed(version, "table-dropped", Event.SchemaChange.ofTable(Change.DROPPED, "h4_gold2", "t"));
    changed(
        version,
        "type-created",
        new Event.SchemaChange(Change.CREATED, Target.TYPE, "h4_gold2", "y", List.of()));
  }

  private static void changed(int version, String name, Event.SchemaChange change) {
    ByteWriter out = new ByteWriter(16);
    Responses.schemaChange(out, version, change);
    assertBody(version, name, out);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void errorsWithFields(int version) {
    error(
        version,
        "keyspace-exists",
        new CqlError.AlreadyExists("Cannot add existing keyspace \"h4_gold2\"", "h4_gold2", ""));
    error(
        version,
        "table-exists",
        new CqlError.AlreadyExists(
            "Cannot add already existing table \"t\" to keyspace \"h4_gold2\"", "h4_gold2", "t"));
    error(
        version,
        "unavailable",
        new CqlError.Unavailable("Cannot achieve consistency level THREE", 3, 3, 1));
    byte[] unprepared = body(version, "unprepared");
    byte[] id = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    int length = (unprepared[4] & 0xFF) << 8 | unprepared[5] & 0xFF;
    String message = new String(unprepared, 6, length, StandardCharsets.UTF_8);
    error(version, "unprepared", new CqlError.Unprepared(message, id));
    error(
        version,
        "syntax-error",
        new CqlError.SyntaxError("line 1:0 no viable alternative at input 'selec' ([selec])"));
  }

  private static void error(int version, String name, CqlError error) {
    ByteWriter out = new ByteWriter(16);
    ErrorBody.write(out, version, error);
    assertBody(version, name, out);
  }
}
