package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MaskDifferenceTest {
  private static final String UNKNOWN = "! 2200 Unable to find masking function for a, no declared";
  private static final String TYPE = "! 2200 Masking function mask_hash() return type is blob.";

  private static boolean isAllowed(String text, List<String> reference, List<String> subject) {
    return new MaskDifference(text, reference, subject).isAllowed();
  }

  @Test
  void anyOfSeveralWrongMasksMayBeNamed() {
    String two = "CREATE TABLE t (a int MASKED WITH nosuch(), b int MASKED WITH mask_hash())";
    assertTrue(isAllowed(two, List.of(TYPE), List.of(UNKNOWN)));
    assertFalse(isAllowed(two, List.of(TYPE), List.of("! 2200 no")));
    assertFalse(isAllowed(two, List.of("> CREATED TABLE ks.t"), List.of(UNKNOWN)));
    String one = "CREATE TABLE t (a int MASKED WITH nosuch(), b int)";
    assertFalse(isAllowed(one, List.of(TYPE), List.of(UNKNOWN)));
  }

  @Test
  void masksThatCassandraCannotUseMayBeAccepted() {
    List<String> unparsed = List.of("! 2000 Failed parsing CQL term: [{F 2: 1}] reason");
    String add = "ALTER TABLE t ADD v u MASKED WITH mask_replace({\"F 2\": 1})";
    assertTrue(isAllowed(add, unparsed, List.of("> UPDATED TABLE ks.t")));
    assertFalse(isAllowed("SELECT v FROM t", unparsed, List.of("> ks.t: v int")));
    List<String> unknown = List.of("! 2200 Hash algorithm not found: nosuch");
    assertTrue(isAllowed("SELECT * FROM t", unknown, List.of("> ks.t: v int")));
    assertFalse(isAllowed("SELECT mask_hash(v, 'nosuch') FROM t", unknown, List.of("> ks.t")));
    assertFalse(isAllowed("SELECT * FROM t", List.of("> ks.t: v int"), unknown));
  }

  @Test
  void masksOfDroppedColumnsMayBeMissing() {
    List<String> all = List.of("> system_schema.column_masks: column_name text", "> 'a'", "> 'b'");
    List<String> one = List.of("> system_schema.column_masks: column_name text", "> 'b'");
    String masks = "SELECT * FROM system_schema.column_masks WHERE keyspace_name = 'ks'";
    assertTrue(isAllowed(masks, all, one));
    assertFalse(isAllowed(masks, one, all));
    assertFalse(isAllowed(masks, all, List.of(all.getFirst(), "> 'c'")));
    assertFalse(isAllowed(masks.replace("_masks", "s"), all, one));
  }

  @Test
  void theMaskOfADroppedColumnMayBeMissing() {
    String masked = " MASKED WITH system.mask_inner(1, null)";
    String shown = "> 'CREATE TABLE ks.t (\\n    k int,\\n    a text%s,\\n    b int\\n);";
    String dropped = shown + "\\nALTER TABLE ks.t DROP a USING TIMESTAMP 1;'";
    List<String> expected = List.of(String.format(dropped, masked));
    List<String> actual = List.of(String.format(dropped, ""));
    String internals = "DESCRIBE TABLE t WITH INTERNALS";
    assertTrue(isAllowed(internals, expected, actual));
    assertFalse(isAllowed(internals, actual, expected));
    assertFalse(isAllowed("DESCRIBE TABLE t", expected, actual));
    List<String> kept = List.of(String.format(shown, masked));
    assertFalse(isAllowed(internals, kept, List.of(String.format(shown, ""))));
    assertFalse(isAllowed(internals, expected, List.of(actual.getFirst().replace("b int", "b"))));
  }

  @Test
  void aMaskMayHaveTheFormerNameOfAField() {
    String there =
        "> '(\\n    v u MASKED WITH system.mask_replace({f0: 1, f1: ''a''}),\\n    w int\\n)'";
    String here = there.replace("f1", "f2");
    assertTrue(new MaskDifference("DESCRIBE TABLE t", List.of(there), List.of(here)).isAllowed());
    assertFalse(new MaskDifference("SELECT 1", List.of(there), List.of(here)).isAllowed());
    String other = there.replace("f1: ''a''", "f1: ''b''");
    assertFalse(new MaskDifference("DESCRIBE TABLE t", List.of(there), List.of(other)).isAllowed());
  }
}
