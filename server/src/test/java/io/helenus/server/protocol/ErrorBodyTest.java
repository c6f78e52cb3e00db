package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorBodyTest {
  private static final byte[] ADDRESS = {10, 0, 0, 1};
  private static final List<CqlError.FailureReason> FAILURES =
      List.of(new CqlError.FailureReason(ADDRESS, 2));

  private static Response.Failure decoded(int version, CqlError error) {
    ByteWriter out = new ByteWriter(16);
    ErrorBody.write(out, version, error);
    Response response = ResponseDecoder.decode(new Frame(version, true, 0, 1, 0x00, out.toArray()));
    return (Response.Failure) response;
  }

  private static void assertFields(
      int version, CqlError error, int code, Map<String, Object> fields) {
    Response.Failure failure = decoded(version, error);
    assertEquals(code, failure.code());
    assertEquals("m", failure.message());
    assertEquals(fields, failure.fields());
  }

  @Test
  void overlongMessagesKeepTheirBeginningAndEnd() {
    for (String filler : List.of("x", "é", "€", "😀")) {
      for (int extra = 0; extra < 4; extra++) {
        String text = "a".repeat(extra) + "Undefined " + filler.repeat(70_000) + " in table t";
        String reported = decoded(5, new CqlError.Invalid(text)).message();
        assertTrue(
            reported.getBytes(StandardCharsets.UTF_8).length > 65_500,
            reported.length() + " chars");
        assertTrue(reported.startsWith(text.substring(0, 50)), reported);
        assertTrue(reported.endsWith(filler + " in table t"), reported);
        assertTrue(reported.contains(filler + " ... " + filler), reported);
      }
    }
    String longest = "x".repeat(65_535);
    assertEquals(longest, decoded(5, new CqlError.Invalid(longest)).message());
  }

  @Test
  void timeoutsSayHowManyReplicasResponded() {
    CqlError write = new CqlError.WriteTimeout("m", 4, 1, 2, "SIMPLE", 0);
    Map<String, Object> fields = Map.of("cl", 4, "received", 1, "blockFor", 2);
    for (int version = 3; version <= 5; version++) {
      assertFields(version, write, 0x1100, with(fields, "writeType", "SIMPLE"));
      assertFields(
          version,
          new CqlError.ReadTimeout("m", 4, 1, 2, true),
          0x1200,
          with(fields, "dataPresent", 1));
    }
  }

  @Test
  void contentionsAreSentInVersionFiveOnly() {
    CqlError cas = new CqlError.WriteTimeout("m", 8, 1, 2, "CAS", 7);
    Map<String, Object> fields = Map.of("cl", 8, "received", 1, "blockFor", 2, "writeType", "CAS");
    assertFields(4, cas, 0x1100, fields);
    assertFields(5, cas, 0x1100, with(fields, "contentions", 7));
  }

  @Test
  void failuresHaveReasonsSinceVersionFiveAndAreTimeoutsInVersionThree() {
    CqlError read = new CqlError.ReadFailure("m", 1, 0, 1, FAILURES, false);
    CqlError write = new CqlError.WriteFailure("m", 1, 0, 1, FAILURES, "BATCH");
    Map<String, Object> fields = Map.of("cl", 1, "received", 0, "blockFor", 1);
    Map<String, Object> readFields = with(fields, "dataPresent", 0);
    Map<String, Object> writeFields = with(fields, "writeType", "BATCH");
    Map<String, Integer> reasons = Map.of("10.0.0.1", 2);
    assertFields(5, read, 0x1300, with(readFields, "reasonMap", reasons));
    assertFields(5, write, 0x1500, with(writeFields, "reasonMap", reasons));
    assertFields(4, read, 0x1300, with(readFields, "numFailures", 1));
    assertFields(4, write, 0x1500, with(writeFields, "numFailures", 1));
    assertFields(3, read, 0x1200, readFields);
    assertFields(3, write, 0x1100, writeFields);
  }

  @Test
  void codesUnknownToAnOlderVersionAreReplaced() {
    CqlError function = new CqlError.FunctionFailure("m", "ks", "f", List.of("int", "text"));
    Map<String, Object> named =
        Map.of("keyspace", "ks", "function", "f", "argTypes", List.of("int", "text"));
    assertFields(4, function, 0x1400, named);
    Response.Failure older = decoded(3, function);
    assertEquals(0x2200, older.code());
    assertEquals("ERROR FUNCTION_FAILURE: m", older.message());
    assertEquals(Map.of(), older.fields());
    CqlError unknown = new CqlError.CasWriteUnknown("m", 8, 1, 2);
    Map<String, Object> fields = Map.of("cl", 8, "received", 1, "blockFor", 2);
    assertFields(5, unknown, 0x1700, fields);
    assertFields(4, unknown, 0x1100, with(fields, "writeType", "CAS"));
    assertFields(4, new CqlError.CdcWriteFailure("m"), 0x1600, Map.of());
    assertFields(3, new CqlError.CdcWriteFailure("m"), 0x2200, Map.of());
  }

  @Test
  void otherErrorsHaveNoFields() {
    List<CqlError> plain =
        List.of(
            new CqlError.ServerError("m"),
            new CqlError.ProtocolError("m"),
            new CqlError.BadCredentials("m"),
            new CqlError.Overloaded("m"),
            new CqlError.IsBootstrapping("m"),
            new CqlError.TruncateError("m"),
            new CqlError.SyntaxError("m"),
            new CqlError.Unauthorized("m"),
            new CqlError.Invalid("m"),
            new CqlError.ConfigError("m"));
    for (CqlError error : plain) {
      assertFields(4, error, error.code(), Map.of());
    }
  }

  private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
    Map<String, Object> all = new java.util.HashMap<>(fields);
    all.put(name, value);
    return all;
  }
}
