package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.config.HeapLimits;
import io.helenus.server.error.CqlException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRoomTest {
  private static final String REFUSED =
      "The JSON of a value or row may have at most 1000 bytes and 20 names and values, as the heap"
          + " is limited; bind large values to markers of their own type, or raise memory in"
          + " helenus.yaml";

  private final JsonRoom room = new JsonRoom(new HeapLimits(1000, 20));

  private byte[] read(CqlType type, String json) throws JsonTree.MalformedException {
    Object tree = JsonTree.parse(json, room);
    return tree == null ? new byte[0] : JsonReader.read(type, tree, room);
  }

  private void assertRefused(CqlType type, String json) {
    CqlException refused = assertThrows(CqlException.class, () -> read(type, json));
    assertEquals(REFUSED, refused.getMessage());
  }

  private static CqlType lists(int depth) {
    CqlType type = ScalarType.INT;
    for (int i = 0; i < depth; i++) {
      type = new ListType(type, true);
    }
    return type;
  }

  @Test
  void aValueWithinTheLimitsIsRead() throws JsonTree.MalformedException {
    assertArrayEquals(
        WireValues.ofElements(Collections.nCopies(19, WireValues.ofInt(1))),
        read(lists(1), "[1" + ",1".repeat(18) + "]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
        "[[],[],[],[],[],[],[],[],[],[]," + "[],[],[],[],[],[],[],[],[],[]]",
        "[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]"
      })
  void partsAreCountedHoweverTheyAreNested(String json) {
    assertRefused(lists(1), json);
  }

  @Test
  void namesAreParts() {
    CqlType map = new MapType(ScalarType.TEXT, ScalarType.INT, true);
    assertRefused(
        map, "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1}");
  }

  @Test
  void aLongTextIsRefused() {
    assertRefused(ScalarType.TEXT, "\"" + "x".repeat(999) + "\"");
    assertRefused(ScalarType.TEXT, "\"\u20ac" + "x".repeat(499) + "\"");
  }

  @Test
  void jsonInStringsSharesTheRoomOfTheText() throws JsonTree.MalformedException {
    String blanks = " ".repeat(600);
    assertArrayEquals(
        WireValues.ofElements(List.of()), read(lists(1), "[" + " ".repeat(300) + "]"));
    assertRefused(lists(1), "\"[" + blanks + "]\"");
  }

  @Test
  void missingFieldsOfAUserTypeAreParts() {
    UserType five =
        new UserType(
            "ks",
            "five",
            List.of("a", "b", "c", "d", "e"),
            Collections.nCopies(5, ScalarType.INT),
            true);
    assertRefused(new ListType(five, true), "[{},{},{},{}]");
  }
}
