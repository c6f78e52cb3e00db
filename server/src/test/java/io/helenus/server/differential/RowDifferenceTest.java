package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowDifferenceTest {
  private static boolean isAllowed(
      List<String> directives, String text, List<String> reference, List<String> subject) {
    Script.Statement statement = new Script.Statement(1, directives, List.of(text), List.of());
    return new RowDifference(statement, reference, subject).isAllowed();
  }

  @Test
  void tuplesInClusteringColumnsMayEndInNulls() {
    List<String> there = List.of("> ks.t: p0 int | c2 tuple<int, int>", "> 1 | (1, null)");
    List<String> here = List.of(there.getFirst(), "> 1 | (1)");
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", there, here));
    List<String> other = List.of(there.getFirst(), "> 2 | (1)");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, other));
    List<String> ofValues = List.of("> ks.t: p0 int | v2 tuple<int, int>", "> 1 | (1, null)");
    List<String> shorter = List.of(ofValues.getFirst(), "> 1 | (1)");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", ofValues, shorter));
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, List.of("! 2200 no")));
  }

  @Test
  void userTypesInClusteringColumnsMayEndInNulls() {
    List<String> there = List.of("> ks.t: c2 differential_1.u0", "> {F: 0, f2: 1}");
    List<String> here = List.of(there.getFirst(), "> {F: 0, f2: 1, \"f 3\": null, f4: null}");
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", there, here));
    List<String> other = List.of(there.getFirst(), "> {F: 0, f2: null, f3: 1}");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, other));
    List<String> ofValue = List.of("> ks.t: v2 differential_1.u0", "> {F: 0, f2: 1}");
    List<String> longer = List.of(ofValue.getFirst(), here.getLast());
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", ofValue, longer));
  }

  @Test
  void trueInAClusteringColumnMayBeAnyByte() {
    List<String> there = List.of("> ks.t: c3 boolean | v4 boolean", "> true | true");
    List<String> here = List.of(there.getFirst(), "> raw:0x02 | true");
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", there, here));
    List<String> ofFalse = List.of(there.getFirst(), "> raw:0x00 | true");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, ofFalse));
    List<String> value = List.of(there.getFirst(), "> true | raw:0x02");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, value));
  }

  @Test
  void anIntegerInAClusteringColumnMayHaveMoreBytes() {
    List<String> there = List.of("> ks.t: c1 varint | v2 varint", "> -1 | -1");
    List<String> here = List.of(there.getFirst(), "> raw:0xffffffff | -1");
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", there, here));
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", here, there));
    List<String> other = List.of(there.getFirst(), "> raw:0xfffffffe | -1");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, other));
    List<String> value = List.of(there.getFirst(), "> -1 | raw:0xffffffff");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, value));
  }

  @Test
  void aNanInAClusteringColumnMayHaveOtherBits() {
    List<String> there = List.of("> ks.t: c1 float | c2 double | v3 float", "> NaN | NaN | 1.0");
    List<String> here =
        List.of(there.getFirst(), "> raw:0x7fffffff | raw:0xfff8000000000000 | 1.0");
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", there, here));
    assertTrue(isAllowed(List.of(), "SELECT * FROM t", here, there));
    List<String> tooShort = List.of(there.getFirst(), "> raw:0x7fff | NaN | 1.0");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, tooShort));
    List<String> infinite = List.of(there.getFirst(), "> Infinity | NaN | 1.0");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", there, infinite));
    List<String> ofValue = List.of("> ks.t: v1 float", "> NaN");
    List<String> other = List.of("> ks.t: v1 float", "> raw:0x7fffffff");
    assertFalse(isAllowed(List.of(), "SELECT * FROM t", ofValue, other));
  }

  @Test
  void emptyElementsOfListsAreNullInCassandra() {
    String text = "SELECT l, c FROM t";
    List<String> there = List.of("> ks.t: l list<int> | c int", "> [1, null, 2] | null");
    List<String> here = List.of(there.getFirst(), "> [1, empty, 2] | null");
    assertTrue(isAllowed(List.of(), text, there, here));
    assertFalse(isAllowed(List.of(), text, here, there));
    assertFalse(
        isAllowed(List.of(), text, there, List.of(there.getFirst(), "> [1, empty, 2] | empty")));
    List<String> sets = List.of("> ks.t: s set<int>", "> {null, 1}");
    assertFalse(
        isAllowed(List.of(), "SELECT s FROM t", sets, List.of(sets.getFirst(), "> {empty, 1}")));
    List<String> json = List.of("> ks.t: [json] text", "> '{\"l\": [null, 2]}'");
    assertTrue(
        isAllowed(
            List.of(),
            "SELECT JSON l FROM t",
            json,
            List.of(json.getFirst(), "> '{\"l\": [\"\", 2]}'")));
  }

  @Test
  void cassandraFindsNothingByALegacyIndexOfAStaticColumnAndClusteringColumns() {
    List<String> there = List.of("> ks.t: p0 int | c1 int | s2 int");
    List<String> here = List.of(there.getFirst(), "> 1 | 1 | 1");
    String text = "SELECT * FROM t WHERE s2 = 1 AND p0 = 1 AND c1 = 1";
    assertTrue(isAllowed(List.of(), text, there, here));
    assertFalse(isAllowed(List.of(), text, here, there));
    String indexed = "SELECT * FROM t WHERE s2 = 1 AND p0 = 1";
    assertFalse(isAllowed(List.of(), indexed, there, here));
    String clustering = "SELECT * FROM t WHERE p0 = 1 AND c1 = 1";
    assertFalse(isAllowed(List.of(), clustering, there, here));
  }

  @Test
  void rowsOfWhichOnlyUnselectedCellsAreAliveMayBeReturned() {
    List<String> now = List.of("now 2091000000");
    List<String> there = List.of("> ks.t: p0 int | v1 int", "> 1 | 1");
    List<String> here = List.of(there.getFirst(), "> 2 | null", "> 1 | 1");
    assertTrue(isAllowed(now, "SELECT p0, v1 FROM t", there, here));
    assertFalse(isAllowed(List.of(), "SELECT p0, v1 FROM t", there, here));
    assertFalse(isAllowed(now, "SELECT p0, v1 FROM t", here, there));
    List<String> withValue = List.of(there.getFirst(), "> 1 | 1", "> 2 | 2");
    assertFalse(isAllowed(now, "SELECT p0, v1 FROM t", there, withValue));
    List<String> otherwise = List.of(there.getFirst(), "> 2 | null", "> 3 | null");
    assertFalse(isAllowed(now, "SELECT p0, v1 FROM t", there, otherwise));
  }

  @Test
  void pagesEndElsewhereIfRowsOfUnselectedCellsAreReturned() {
    List<String> directives = List.of("page 2", "now 2091000000");
    String text = "SELECT p0, v1 FROM t";
    String header = "> ks.t: p0 int | v1 int";
    String end = "> -- page --";
    List<String> there = List.of(header, "> 1 | 1", "> 3 | 3", end, header, "> 4 | 4");
    List<String> here =
        List.of(header, "> 1 | 1", "> 2 | null", end, header, "> 3 | 3", "> 4 | 4", end, header);
    assertTrue(isAllowed(directives, text, there, here));
    assertFalse(isAllowed(directives, text, here, there));
    assertFalse(isAllowed(List.of("page 2"), text, there, here));
    List<String> lost = List.of(header, "> 1 | 1", "> 2 | null", end, header, "> 3 | 3");
    assertFalse(isAllowed(directives, text, there, lost));
    List<String> withoutRow = List.of(header, "> 1 | 1", end, header, "> 3 | 3", "> 4 | 4");
    assertFalse(isAllowed(directives, text, there, withoutRow));
  }
}
