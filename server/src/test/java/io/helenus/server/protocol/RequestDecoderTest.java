package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.error.CqlException;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
  private static final int MAX_TEXT_BYTES = 100_000;

  private final RequestDecoder decoder = new RequestDecoder(MAX_TEXT_BYTES);

  private Request decode(int opcode, int version, BodyWriter body) {
    byte[] bytes = body.toArray();
    ByteWriter source = new ByteWriter(16).putInt(0xABCD).putBytes(bytes);
    return decoder.decode(opcode, version, source.segment(), 4, bytes.length);
  }

  private static BodyWriter flags(BodyWriter body, int version, int flags) {
    return version >= 5 ? body.putInt(flags) : body.putByte(flags);
  }

  private static List<String> values(BoundValues values) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < values.count(); i++) {
      int length = values.length(i);
      texts.add(
          length < 0
              ? Integer.toString(length)
              : new String(
                  Bytes.toArray(values.segment(), values.offset(i), length),
                  java.nio.charset.StandardCharsets.UTF_8));
    }
    return texts;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void aQueryWithAllParameters(int version) {
    int all = version >= 5 ? 0x1FF & ~0x40 : 0xBF;
    BodyWriter body = flags(new BodyWriter().putLongString("select ä").putShort(6), version, all);
    body.putShort(3).putInt(2).putRaw(new byte[] {'h', 'i'}).putInt(-1);
    body.putInt(version == 3 ? -1 : -2).putInt(5000).putInt(3).putRaw(new byte[] {1, 2, 3});
    body.putShort(9).putLong(-77).putString("ks");
    if (version >= 5) {
      body.putInt(1234);
    }
    Request.Query query =
        assertInstanceOf(Request.Query.class, decode(Opcodes.QUERY, version, body));
    QueryParameters parameters = query.parameters();
    assertEquals("select ä", query.text());
    assertEquals(ConsistencyLevel.LOCAL_QUORUM, parameters.consistency());
    assertEquals(List.of("hi", "-1", version == 3 ? "-1" : "-2"), values(parameters.values()));
    assertTrue(parameters.skipMetadata());
    assertEquals(5000, parameters.pageSize());
    assertEquals(3, parameters.pagingStateLength());
    assertEquals(
        2, Bytes.getByte(parameters.values().segment(), parameters.pagingStateOffset() + 1));
    assertEquals(ConsistencyLevel.LOCAL_SERIAL, parameters.serialConsistency());
    assertEquals(-77, parameters.timestampMicros());
    assertEquals("ks", parameters.keyspace());
    assertEquals(
        version >= 5 ? 1234 : QueryParameters.NO_NOW_IN_SECONDS, parameters.nowInSeconds());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void absentParametersHaveTheirDefaults(int version) {
    aQueryWithAllParameters(version);
    BodyWriter body = flags(new BodyWriter().putLongString("x").putShort(1), version, 0);
    Request.Query query =
        assertInstanceOf(Request.Query.class, decode(Opcodes.QUERY, version, body));
    QueryParameters parameters = query.parameters();
    assertEquals(0, parameters.values().count());
    assertFalse(parameters.skipMetadata());
    assertTrue(parameters.pageSize() < 0);
    assertEquals(-1, parameters.pagingStateLength());
    assertEquals(ConsistencyLevel.SERIAL, parameters.serialConsistency());
    assertEquals(QueryParameters.NO_TIMESTAMP, parameters.timestampMicros());
    assertNull(parameters.keyspace());
  }

  @Test
  void valuesMayBeNamed() {
    BodyWriter body = new BodyWriter().putLongString("x").putShort(1).putByte(0x41).putShort(2);
    body.putString("b").putInt(1).putByte('1').putString("a").putInt(-1);
    Request.Query query = assertInstanceOf(Request.Query.class, decode(Opcodes.QUERY, 4, body));
    BoundValues values = query.parameters().values();
    assertTrue(values.isNamed());
    assertEquals("b", values.name(0));
    assertEquals(1, values.indexOf("a"));
    assertEquals(-1, values.indexOf("c"));
    assertEquals(List.of("1", "-1"), values(values));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void anExecuteHasTheIdsOfItsStatementAndMetadata(int version) {
    BodyWriter body = new BodyWriter().putShortBytes(new byte[] {9, 8, 7});
    if (version >= 5) {
      body.putShortBytes(new byte[] {6, 5});
    }
    flags(body.putShort(1), version, 1).putShort(1).putInt(0);
    Request.Execute execute =
        assertInstanceOf(Request.Execute.class, decode(Opcodes.EXECUTE, version, body));
    assertEquals(3, execute.idLength());
    assertEquals(9, Bytes.getByte(execute.segment(), execute.idOffset()));
    assertEquals(version >= 5 ? 2 : -1, execute.metadataIdLength());
    assertEquals(List.of(""), values(execute.parameters().values()));
  }

  @Test
  void aBatchHoldsTextsAndIdsWithTheirValues() {
    BodyWriter body = new BodyWriter().putByte(1).putShort(2);
    body.putByte(0).putLongString("insert").putShort(1).putInt(2).putRaw(new byte[] {'o', 'k'});
    body.putByte(1).putShortBytes(new byte[] {1, 2}).putShort(1).putInt(-2);
    body.putShort(4).putByte(0x20).putLong(99);
    Request.Batch batch = assertInstanceOf(Request.Batch.class, decode(Opcodes.BATCH, 4, body));
    assertEquals(Request.Batch.Kind.UNLOGGED, batch.kind());
    assertEquals(2, batch.statements().size());
    assertEquals("insert", batch.statements().get(0).text());
    assertEquals(List.of("ok"), values(batch.statements().get(0).values()));
    assertNull(batch.statements().get(1).text());
    assertEquals(2, batch.statements().get(1).idLength());
    assertEquals(List.of("-2"), values(batch.statements().get(1).values()));
    assertEquals(99, batch.parameters().timestampMicros());
    assertEquals(0, batch.parameters().values().count());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void everyTruncatedMessageIsAProtocolError(int version) {
    BodyWriter body = flags(new BodyWriter().putLongString("select").putShort(6), version, 0x2F);
    body.putShort(1).putInt(2).putRaw(new byte[] {'h', 'i'}).putInt(10).putInt(1).putByte(1);
    byte[] whole = body.putLong(5).toArray();
    decode(Opcodes.QUERY, version, new BodyWriter().putRaw(whole));
    for (int length = 0; length < whole.length; length++) {
      BodyWriter cut = new BodyWriter().putRaw(java.util.Arrays.copyOf(whole, length));
      CqlException refused =
          assertThrows(CqlException.class, () -> decode(Opcodes.QUERY, version, cut));
      assertEquals(0x0A, refused.error().code());
    }
  }

  @Test
  void textsHaveALimit() {
    BodyWriter query = new BodyWriter().putLongString("x".repeat(MAX_TEXT_BYTES));
    Request read = decode(Opcodes.QUERY, 4, flags(query.putShort(1), 4, 0));
    assertInstanceOf(Request.Query.class, read);
    BodyWriter longer = new BodyWriter().putLongString("x".repeat(MAX_TEXT_BYTES + 1));
    CqlException refused =
        assertThrows(
            CqlException.class, () -> decode(Opcodes.QUERY, 4, flags(longer.putShort(1), 4, 0)));
    assertEquals(
        "The texts of a request may have at most 100000 bytes, as the heap is limited; bind large"
            + " values to markers, send smaller batches, or raise memory in helenus.yaml",
        refused.getMessage());
    CqlException prepare =
        assertThrows(CqlException.class, () -> decode(Opcodes.PREPARE, 4, longer));
    assertEquals(refused.getMessage(), prepare.getMessage());
  }

  @Test
  void aTextOfWideCharactersTakesTwiceTheMemory() {
    BodyWriter narrow = new BodyWriter().putLongString("\u00e4" + "x".repeat(80_000)).putInt(0);
    assertInstanceOf(Request.Prepare.class, decode(Opcodes.PREPARE, 5, narrow));
    BodyWriter wide = new BodyWriter().putLongString("\u20ac" + "x".repeat(80_000)).putInt(0);
    assertThrows(CqlException.class, () -> decode(Opcodes.PREPARE, 5, wide));
  }

  private static BodyWriter batch(int statements, int textBytes) {
    BodyWriter body = new BodyWriter().putByte(0).putShort(statements);
    for (int i = 0; i < statements; i++) {
      body.putByte(0).putLongString("x".repeat(textBytes)).putShort(0);
    }
    return body.putShort(1).putByte(0);
  }

  @Test
  void theTextsOfABatchAreCountedTogether() {
    assertInstanceOf(Request.Batch.class, decode(Opcodes.BATCH, 4, batch(10, MAX_TEXT_BYTES / 10)));
    assertThrows(
        CqlException.class, () -> decode(Opcodes.BATCH, 4, batch(11, MAX_TEXT_BYTES / 10)));
    // each request has the limit for itself
    assertInstanceOf(Request.Batch.class, decode(Opcodes.BATCH, 4, batch(10, MAX_TEXT_BYTES / 10)));
  }

  @Test
  void namesOfValuesAreTextsToo() {
    BodyWriter body = new BodyWriter().putLongString("x").putShort(1).putByte(0x41).putShort(2);
    body.putString("n".repeat(50_000)).putInt(-1).putString("n".repeat(50_000)).putInt(-1);
    assertThrows(CqlException.class, () -> decode(Opcodes.QUERY, 4, body));
  }
}
