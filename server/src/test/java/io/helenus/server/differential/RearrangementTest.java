package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RearrangementTest {
  private static final List<String> ONE_PAGE =
      List.of("> warning: w", "> t: k int", "> 1", "> 2", "> 2");
  private static final List<String> PAGES =
      List.of(
          "> warning: w",
          "> t: k int",
          "> 1",
          "> 2",
          "> -- page --",
          "> warning: w",
          "> t: k int",
          "> 2");

  private static boolean isAllowed(String text, List<String> reference, List<String> subject) {
    return new Rearrangement(text, reference, subject).isAllowed();
  }

  @Test
  void rowsOfSelectJsonMayBeOrderedByColumns() {
    List<String> forward = List.of("> ks.t: [json] text", "> '{1}'", "> '{2}'");
    List<String> backward = List.of("> ks.t: [json] text", "> '{2}'", "> '{1}'");
    String json = "SELECT JSON * FROM t WHERE k IN (1, 2) ORDER BY c DESC";
    assertTrue(isAllowed(json, forward, backward));
    assertFalse(isAllowed(json, forward, backward.subList(0, 2)));
    assertFalse(isAllowed("SELECT JSON * FROM t WHERE k IN (1, 2)", forward, backward));
    List<String> first = forward.subList(0, 2);
    List<String> last = backward.subList(0, 2);
    assertTrue(isAllowed(json + " LIMIT 1", first, last));
    assertTrue(isAllowed(json + " PER PARTITION LIMIT 2 LIMIT 1", first, last));
    assertFalse(isAllowed(json, first, last));
    assertFalse(isAllowed(json + " PER PARTITION LIMIT 1", first, last));
    assertFalse(isAllowed(json + " LIMIT 2", forward, last));
  }

  @Test
  void fieldsInTheWhereClauseOfAViewMayHaveAnotherOrder() {
    String where = "> 'm0' | 'c1 > {%s} AND c2 = {%s}'";
    String inner = "f1: ''b, c'', \"F 2\": {f3: 1, f4: 2}";
    String other = "\"F 2\": {f4: 2, f3: 1}, f1: ''b, c''";
    List<String> there = List.of("> t: a text", where.formatted(inner, "f5: 1, f6: 2"));
    List<String> here = List.of("> t: a text", where.formatted(other, "f6: 2, f5: 1"));
    String select = "SELECT * FROM system_schema.views WHERE keyspace_name = 'ks'";
    assertTrue(isAllowed(select, there, here));
    assertTrue(isAllowed("DESCRIBE KEYSPACE", there, here));
    assertFalse(isAllowed("SELECT * FROM t", there, here));
    List<String> value = List.of("> t: a text", where.formatted(other, "f6: 2, f5: 3"));
    assertFalse(isAllowed(select, there, value));
    List<String> moved = List.of("> t: a text", where.formatted("f6: 2, f5: 1", other));
    assertFalse(isAllowed(select, there, moved));
  }

  @Test
  void nothingMayBeReturnedInSeveralPages() {
    String empty = "SELECT * FROM t WHERE k IN (1, 2) AND c IN ()";
    List<String> page = List.of("> t: k int");
    List<String> pages = new ArrayList<>(page);
    for (int i = 0; i < 2; i++) {
      pages.addAll(List.of("> -- page --", "> t: k int"));
    }
    assertTrue(isAllowed(empty, pages, page));
    assertFalse(isAllowed(empty, page, pages));
    assertFalse(isAllowed("SELECT * FROM t WHERE k = 1", pages, page));
    List<String> rows = List.of("> t: k int", "> 1", "> -- page --", "> t: k int", "> 2");
    assertFalse(isAllowed(empty, rows, page));
    assertFalse(isAllowed(empty, rows, rows.subList(0, 2)));
  }

  @Test
  void groupsMayHavePages() {
    for (String groups :
        List.of(
            "SELECT DISTINCT k FROM t GROUP BY k",
            "SELECT k FROM t WHERE k IN (1, 2, 3) GROUP BY k")) {
      assertTrue(isAllowed(groups, ONE_PAGE, PAGES), groups);
      assertFalse(isAllowed(groups, ONE_PAGE, PAGES.subList(0, 7)), groups);
      assertFalse(isAllowed(groups, PAGES, ONE_PAGE), groups);
    }
    String bound = "SELECT k FROM t WHERE k IN ? GROUP BY k";
    List<String> one = new ArrayList<>(List.of("> prepared t: in(k) list<int>", "> with 1"));
    List<String> several = new ArrayList<>(one);
    one.addAll(ONE_PAGE);
    several.addAll(PAGES);
    assertTrue(isAllowed(bound, one, several));
    assertFalse(isAllowed(bound, one, several.subList(0, 9)));
    assertFalse(isAllowed("SELECT k FROM t GROUP BY k", ONE_PAGE, PAGES));
    assertFalse(isAllowed("SELECT k FROM t WHERE k IN (1, 2, 3)", ONE_PAGE, PAGES));
  }

  @Test
  void fieldsInTheNameOfASelectorMayBeInAnotherOrder() {
    String select = "SELECT toJson(v), m[{f0: 1, f1: 2}] FROM t";
    List<String> there = List.of("> t: system.tojson(v) text | m[{f1: 2, f0: 1}] int", "> '' | 1");
    List<String> here = List.of("> t: system.to_json(v) text | m[{f0: 1, f1: 2}] int", "> '' | 1");
    assertTrue(isAllowed(select, there, here));
    List<String> otherValue = List.of(here.getFirst(), "> '' | 2");
    assertFalse(isAllowed(select, there, otherValue));
    assertFalse(isAllowed("SELECT * FROM t", there, here));
  }

  @Test
  void tablesThatUseATypeMayBeInAnotherOrder() {
    String add =
        "! 2200 Cannot add new field f of type int to user type ks.u as the type is being used in"
            + " partition key by the following tables: ";
    String drop = "! 2200 Cannot drop user type 'ks.u' as it is still used by tables ";
    for (String error : List.of(add, drop)) {
      assertTrue(isAllowed("ALTER", List.of(error + "b, a"), List.of(error + "a, b")));
      assertFalse(isAllowed("ALTER", List.of(error + "b, a"), List.of(error + "a, c")));
      assertFalse(isAllowed("ALTER", List.of(error + "b, a"), List.of(error + "a")));
    }
    assertFalse(isAllowed("ALTER", List.of(add + "b, a"), List.of(drop + "a, b")));
  }

  @Test
  void droppedColumnsMayBeDescribedInAnotherOrder() {
    String drops = ")\\nALTER TABLE t DROP a;\\nALTER TABLE t DROP b;'";
    String reversed = ")\\nALTER TABLE t DROP b;\\nALTER TABLE t DROP a;'";
    List<String> there = List.of("> '(\\n    a int,\\n    b int\\n" + drops);
    List<String> here = List.of("> '(\\n    b int,\\n    a int\\n" + reversed);
    String describe = "DESCRIBE TABLE t WITH INTERNALS";
    assertTrue(isAllowed(describe, there, here));
    assertFalse(isAllowed("DESCRIBE TABLE t", there, here));
    assertFalse(isAllowed(describe, there, List.of(here.getFirst().replace("b int", "b text"))));
    List<String> none = List.of("> '(\\n    a int,\\n    b int\\n)'");
    List<String> others = List.of("> '(\\n    b int,\\n    a int\\n)'");
    assertFalse(isAllowed(describe, none, others));
  }
}
