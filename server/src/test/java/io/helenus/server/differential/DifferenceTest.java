package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.conformance.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  private static Difference difference(String statement, String reference, String subject) {
    return new Difference(
        statement(statement),
        List.of("> ks.t: k int", reference),
        List.of("> ks.t: k int", subject));
  }

  private static Difference refusals(String statement, String reference, String subject) {
    return new Difference(statement(statement), List.of(reference), List.of(subject));
  }

  private static Script.Statement statement(String text) {
    return new Script.Statement(1, List.of("page 2"), List.of(text), List.of());
  }

  @Test
  void rowsAndTheirOrderAreCompared() {
    assertTrue(Difference.differ(List.of("> 1", "> 2"), List.of("> 2", "> 1")));
    assertTrue(
        Difference.differ(
            List.of("> h", "> 1", "> 2"), List.of("> h", "> 1", "> -- page --", "> h", "> 2")));
    assertFalse(Difference.differ(List.of("> 1", "> 2"), List.of("> 1", "> 2")));
  }

  @Test
  void theOrderOfSignaturesAndOfConflictingColumnsIsIgnored() {
    assertFalse(
        Difference.differ(
            List.of(
                "! 2200 Invalid call to function avg, none of its type signatures match (known type"
                    + " signatures: system.avg : (int) -> int, system.avg : (float) -> float)"),
            List.of(
                "! 2200 Invalid call to function avg, none of its type signatures match (known type"
                    + " signatures: system.avg : (float) -> float, system.avg : (int) -> int)")));
    assertFalse(
        Difference.differ(
            List.of("! 2200 More than one restriction was found for the end bound on b ,a"),
            List.of("! 2200 More than one restriction was found for the end bound on a ,b")));
    String both = "! 2200 Column \"%s\" cannot be restricted by both an equality and an inequality";
    assertFalse(
        Difference.differ(
            List.of(both.formatted("c4 Q ,c3")), List.of(both.formatted("c3 ,c4 Q"))));
    assertTrue(Difference.differ(List.of(both.formatted("b ,a")), List.of(both.formatted("a"))));
  }

  @Test
  void eitherOfTwoConflictsOfRelationsMayBeNamed() {
    String equal =
        "! 2200 c cannot be restricted by more than one relation if it includes an Equal";
    String slices =
        "! 2200 Column \"d\" cannot be restricted by two inequalities not starting with the same"
            + " column";
    String text = "SELECT * FROM t WHERE d > 1 AND c = 1 AND (c, d) >= (1, 2)";
    for (List<String> pair : List.of(List.of(equal, slices), List.of(slices, equal))) {
      List<String> there = List.of(pair.getFirst());
      assertTrue(new Difference(statement(text), there, List.of(pair.getLast())).isAllowed());
      assertFalse(new Difference(statement(text), there, List.of("! 2200 no")).isAllowed());
    }
  }

  @Test
  void deliberateDifferencesAreAllowed() {
    assertTrue(
        difference("SELECT", "> 1", "! 2200 x is not supported by this version of Helenus")
            .isAllowed());
    assertTrue(
        difference("SELECT", "! 0000 java.lang.NullPointerException", "! 2200 no").isAllowed());
    assertFalse(difference("SELECT", "! 2200 yes", "! 2200 no").isAllowed());
    assertFalse(difference("SELECT", "> 1", "> 2").isAllowed());
  }

  @Test
  void anElementInAConditionMayBeComparedByTheTypeOfKeysThere() {
    String update = "UPDATE t SET v = 1 WHERE k = 1 IF m[1] != 'a'";
    List<String> failed =
        List.of("> ks.t: [applied] boolean | m map<int, text>", "> false | {1: 'b'}");
    List<String> applied = List.of("> ks.t: [applied] boolean", "> true");
    assertTrue(new Difference(statement(update), failed, applied).isAllowed());
    assertTrue(new Difference(statement(update), applied, failed).isAllowed());
    List<String> ofSets =
        List.of("> ks.t: [applied] boolean | m map<set<time>, decimal>", "> false | {{}: -1}");
    assertTrue(new Difference(statement(update), applied, ofSets).isAllowed());
    List<String> ofBytes =
        List.of("> ks.t: [applied] boolean | m map<ascii, text>", "> false | {'1': 'b'}");
    assertFalse(new Difference(statement(update), ofBytes, applied).isAllowed());
    List<String> exact =
        List.of("> ks.t: [applied] boolean | m map<text, int>", "> false | {'a': 1}");
    String on = "UPDATE t SET v = 1 WHERE k = 1 IF w = 1 AND m['a'] %s 1";
    assertFalse(new Difference(statement(on.formatted("=")), exact, applied).isAllowed());
    assertTrue(new Difference(statement(on.formatted("<")), exact, applied).isAllowed());
    List<String> sameType =
        List.of("> ks.t: [applied] boolean | m map<int, int>", "> false | {1: 2}");
    assertFalse(new Difference(statement(update), sameType, applied).isAllowed());
    assertFalse(new Difference(statement(update), failed, List.of("! 2200 no")).isAllowed());
    String whole = "UPDATE t SET v = 1 WHERE k = 1 IF m != {1: 'a'}";
    assertFalse(new Difference(statement(whole), failed, applied).isAllowed());
  }

  @Test
  void theTextOfAFloatMayBeLonger() {
    String json = "SELECT JSON v FROM t";
    assertTrue(difference(json, "> '{\"v\": 9.9999998E10}'", "> '{\"v\": 1.0E11}'").isAllowed());
    assertFalse(difference(json, "> '{\"v\": 9.999998E10}'", "> '{\"v\": 1.0E11}'").isAllowed());
    assertFalse(difference(json, "> 9.9999999998E10", "> 1.0E11").isAllowed());
  }

  @Test
  void theTextOfADoubleMayBeLonger() {
    assertTrue(
        difference("SELECT JSON", "> {-4.6116860184273879E18}", "> {-4.611686018427388E18}")
            .isAllowed());
    assertFalse(
        difference("SELECT JSON", "> {-4.6116860184273869E18}", "> {-4.611686018427388E18}")
            .isAllowed());
  }

  @Test
  void aComputedNotANumberMayHaveEitherSign() {
    assertTrue(difference("SELECT avg(v) FROM t", "> NaN", "> raw:0xffc00000").isAllowed());
    assertTrue(difference("SELECT v - 1 FROM t", "> raw:0xfff8000000000000", "> NaN").isAllowed());
    assertFalse(difference("SELECT v FROM t", "> NaN", "> raw:0xffc00000").isAllowed());
    assertFalse(difference("SELECT avg(v) FROM t", "> NaN", "> raw:0xffc00001").isAllowed());
  }

  @Test
  void anOptionThatIsNotANumberIsAllowedToBeRefused() {
    String refusal = "! 2300 min_compress_ratio can either be 0 or greater than or equal to 1";
    String table = "CREATE TABLE t (k int) WITH compression = {'min_compress_ratio': '%s'}";
    assertTrue(difference(table.formatted("NaN"), "> done", refusal).isAllowed());
    assertFalse(difference(table.formatted("2"), "> done", refusal).isAllowed());
  }

  @Test
  void aNullEndOfADeletedRangeIsAllowedToBeRefused() {
    String timeout = "! 1100 Operation timed out - received only 0 responses.";
    String refusal = "! 2200 Invalid null value in condition for column c";
    assertTrue(difference("DELETE FROM t WHERE p = 1 AND c > ?", timeout, refusal).isAllowed());
    assertFalse(difference("DELETE FROM t WHERE p = 1 AND c = ?", timeout, refusal).isAllowed());
    assertFalse(difference("SELECT * FROM t WHERE c > ?", timeout, refusal).isAllowed());
  }

  @Test
  void anEmptyNumberOfJsonIsAllowedToBeRefusedInAKey() {
    String refusal = "! 2200 Expected 2 bytes for a smallint (0)";
    String missing = "! 2200 Invalid null value in condition for column c";
    assertTrue(difference("INSERT INTO t JSON ?", missing, refusal).isAllowed());
    String ttl = "! 2200 A TTL must be greater or equal to 0, but was -1";
    assertTrue(difference("INSERT INTO t JSON ? USING TTL ?", ttl, refusal).isAllowed());
    assertTrue(difference("INSERT INTO t JSON ? IF NOT EXISTS", "> true", refusal).isAllowed());
    assertFalse(difference("INSERT INTO t JSON ?", "> done", refusal).isAllowed());
    assertFalse(difference("INSERT INTO t (p) VALUES (?)", missing, refusal).isAllowed());
  }

  @Test
  void aReversedTokenRangeOfNamedKeysIsAllowedToBeEmpty() {
    String reversed =
        "SELECT * FROM t WHERE key_p1 = 1 AND token(key_p1) > 5 AND token(key_p1) <= 0";
    List<String> rows = List.of("> ks.t: k int", "> 1");
    List<String> none = List.of("> ks.t: k int");
    assertTrue(new Difference(statement(reversed), rows, none).isAllowed());
    assertTrue(difference(reversed, "> 1", "> 0").isAllowed());
    assertTrue(difference(reversed, "! 2200 Key may not be empty", "> ks.t: k int").isAllowed());
    assertFalse(new Difference(statement(reversed), none, rows).isAllowed());
    assertFalse(difference(reversed, "> 1", "! 2200 no").isAllowed());
    String scan = "SELECT * FROM t WHERE token(p1) > 5 AND token(p1) <= 0";
    assertFalse(new Difference(statement(scan), rows, none).isAllowed());
    String open = "SELECT * FROM t WHERE p1 IN (1) AND token(p1) > 5";
    assertFalse(new Difference(statement(open), rows, none).isAllowed());
  }

  @Test
  void aMarkerForATableMayBeReportedBeforeTheEndOfTheStatement() {
    String select = "SELECT count(1) FROM ? LIMIT --";
    String end = "! 2000 line 1:31 mismatched character '<EOF>' expecting set null";
    String marker = "! 2000 Bind variables cannot be used for table names";
    assertTrue(refusals(select, end, marker).isAllowed());
    assertFalse(refusals(select, marker, end).isAllowed());
    assertFalse(refusals(select, "! 2000 line 1:9 mismatched input", marker).isAllowed());
  }

  @Test
  void aCastOfADescendingColumnIsAllowedToDoNothing() {
    String cast = "SELECT cast(c1 AS int) FROM t";
    List<String> refused = List.of("! 2200 c1 cannot be cast to inet");
    List<String> done = List.of("> ks.t: c1 inet", "> 127.0.0.1");
    assertTrue(new Difference(statement(cast), refused, done).isAllowed());
    List<String> ofOtherType = List.of("> ks.t: c1 int", "> 1");
    assertFalse(new Difference(statement(cast), refused, ofOtherType).isAllowed());
    assertFalse(new Difference(statement(cast), refused, List.of("! 2200 no")).isAllowed());
    List<String> varchar = List.of("! 2200 c1 cannot be cast to varchar");
    List<String> text = List.of("> ks.t: c1 text", "> 'a'");
    assertTrue(new Difference(statement(cast), varchar, text).isAllowed());
    assertFalse(new Difference(statement(cast), varchar, done).isAllowed());
    String overload = "! 2200 Invalid call to function system.cast_as_int, none of its";
    assertTrue(difference(cast, overload, "! 2200 c2 cannot be cast to inet").isAllowed());
    assertFalse(difference(cast, overload, "! 2000 line 1:5 no").isAllowed());
    assertTrue(difference(cast, "> ks.t: cast(c1 as int) int", "> ks.t: c1 int").isAllowed());
    assertFalse(difference(cast, "> ks.t: cast(c1 as int) int", "> ks.t: c2 int").isAllowed());
    String quoted = "SELECT cast(\"c1 Q\" AS int) FROM t";
    assertTrue(difference(quoted, "> ks.t: cast(c1 Q as int) int", "> ks.t: c1 Q int").isAllowed());
  }

  @Test
  void aWriteOfUnsetValuesIsAllowedToIgnoreTheConsistencyLevel() {
    String level = "! 1000 Cannot achieve consistency level TWO [TWO required 2 alive 1]";
    List<String> text = List.of("UPDATE t SET s = ? WHERE p = 1");
    Script.Statement unset = new Script.Statement(1, List.of("values int unset"), text, List.of());
    assertTrue(new Difference(unset, List.of(level), List.of("> done")).isAllowed());
    Script.Statement json = statement("INSERT INTO t JSON '{\"k\": 1}' DEFAULT UNSET");
    assertTrue(new Difference(json, List.of(level), List.of("> done")).isAllowed());
    assertFalse(new Difference(statement("UPDATE"), List.of(level), List.of("> done")).isAllowed());
    String any =
        "! 2200 Write operation require a read but consistency ANY is not supported on reads";
    assertTrue(difference("UPDATE t SET l -= [] WHERE p IN ()", any, "> done").isAllowed());
    assertFalse(difference("UPDATE t SET l -= [] WHERE p IN (1)", any, "> done").isAllowed());
    text = List.of("UPDATE t SET l[0] = 1 WHERE p IN ?");
    Script.Statement bound = new Script.Statement(1, List.of("bind []"), text, List.of());
    assertTrue(new Difference(bound, List.of(any), List.of("> done")).isAllowed());
    Script.Statement keys = new Script.Statement(1, List.of("bind [1]"), text, List.of());
    assertFalse(new Difference(keys, List.of(any), List.of("> done")).isAllowed());
    Script.Statement empty = statement("UPDATE t SET s = s + {} WHERE p = 1");
    assertTrue(new Difference(empty, List.of(level), List.of("> done")).isAllowed());
  }

  @Test
  void aReadOfNoTokensIsAllowedToIgnoreTheConsistencyLevel() {
    List<String> level = List.of("! 1000 Cannot achieve consistency level TWO");
    List<String> none = List.of("> ks.t: count bigint", "> 0");
    Script.Statement last = statement("SELECT * FROM t WHERE token(k) > 9223372036854775807");
    assertTrue(new Difference(last, level, none).isAllowed());
    assertTrue(new Difference(last, level, none.subList(0, 1)).isAllowed());
    assertFalse(new Difference(last, level, List.of("> ks.t: k int", "> 1")).isAllowed());
    assertFalse(new Difference(last, none, level).isAllowed());
    Script.Statement others = statement("SELECT * FROM t WHERE token(k) > 922337203685477580");
    assertFalse(new Difference(others, level, none).isAllowed());
    List<String> value = List.of("! 2200 Expected 4 or 0 byte int (1)");
    Script.Statement element = statement("UPDATE t SET l[0] = ?, v = ? WHERE k = 1");
    assertTrue(new Difference(element, level, value).isAllowed());
    assertFalse(new Difference(statement("UPDATE t SET v = ?"), level, value).isAllowed());
    String condition = "UPDATE t SET v = ? WHERE k = 1 IF l[0] = 1";
    assertFalse(new Difference(statement(condition), level, value).isAllowed());
    String key = "UPDATE t SET m['a'] = ? WHERE k = 1";
    assertFalse(new Difference(statement(key), level, value).isAllowed());
  }

  @Test
  void anUnsetValueOfContainsIsAllowedToBeRefused() {
    List<String> failed = List.of("> ks.t: [applied] boolean | s set<int>", "> false | null");
    List<String> unset = List.of("! 2200 Invalid 'unset' value in condition");
    Script.Statement contains = statement("DELETE FROM t WHERE k = 1 IF s CONTAINS ?");
    assertTrue(new Difference(contains, failed, unset).isAllowed());
    assertFalse(new Difference(contains, unset, failed).isAllowed());
    Script.Statement equal = statement("DELETE FROM t WHERE k = 1 IF s = ?");
    assertFalse(new Difference(equal, failed, unset).isAllowed());
    Script.Statement element = statement("DELETE FROM t WHERE k = 1 IF m[:key] != ?");
    List<String> applied = List.of("> ks.t: [applied] boolean", "> true");
    assertTrue(new Difference(element, applied, unset).isAllowed());
    assertFalse(new Difference(equal, applied, unset).isAllowed());

    List<String> twiceFailed = List.of("> with unset", failed.get(0), "> false", "> with 1", "> 1");
    List<String> once = List.of("> with unset", unset.getFirst(), "> with 1", "> 1");
    List<String> other = List.of("> with unset", unset.getFirst(), "> with 1", "> 2");
    assertTrue(new Difference(contains, twiceFailed, once).isAllowed());
    assertFalse(new Difference(contains, twiceFailed, other).isAllowed());
  }

  @Test
  void anyOfSeveralConditionsIsAllowedToBeTestedFirst() {
    List<String> failed = List.of("> ks.t: [applied] boolean", "> false");
    List<String> applied = List.of("> ks.t: [applied] boolean", "> true");
    List<String> empty = List.of("! 2200 Invalid comparison with an empty map for operator \">\"");
    List<String> unset = List.of("! 2200 Invalid 'unset' value in condition");
    List<String> other = List.of("! 2200 Expected 4 or 0 byte int (1)");
    Script.Statement two = statement("UPDATE t SET v = 1 WHERE k = 1 IF w = 1 AND m > {}");
    assertTrue(new Difference(two, failed, empty).isAllowed());
    assertTrue(new Difference(two, unset, failed).isAllowed());
    assertTrue(new Difference(two, unset, empty).isAllowed());
    assertFalse(new Difference(two, failed, other).isAllowed());
    assertFalse(new Difference(two, applied, empty).isAllowed());
    Script.Statement twice =
        statement("BEGIN BATCH DELETE FROM t IF m > {}; DELETE FROM t IF v = 1;");
    assertTrue(new Difference(twice, failed, empty).isAllowed());
    Script.Statement one = statement("UPDATE t SET v = 1 WHERE k = 1 AND c = 1 IF m > {}");
    assertFalse(new Difference(one, failed, empty).isAllowed());
    Script.Statement batch =
        statement(
            "BEGIN BATCH DELETE FROM t WHERE k = 1 IF m > {}; DELETE FROM t WHERE k = 1 AND c = 1;"
                + " APPLY BATCH");
    assertFalse(new Difference(batch, failed, empty).isAllowed());
  }

  @Test
  void aCalculationForADescendingColumnIsAllowed() {
    String ambiguous =
        "! 2200 Ambiguous '+' operation with args -1 and 1: use type hint to disambiguate, example"
            + " '(int) ?'";
    for (String column : List.of("c1", "\"c1 Q\"", "\"selectc1\"", "key_c1", "\"c1é\"")) {
      String where = "SELECT * FROM t WHERE p0 = 1 AND " + column;
      assertTrue(difference(where + " = -1 + 1", ambiguous, "> 1").isAllowed(), column);
      assertTrue(difference(where + " >= -1 + 1", ambiguous, "> 1").isAllowed(), column);
      assertFalse(difference(where + " = -1 + 2", ambiguous, "> 1").isAllowed());
      assertFalse(
          new Difference(statement(where + " = -1 + 1"), List.of(ambiguous), List.of("! 2200 no"))
              .isAllowed());
    }
    assertFalse(difference("SELECT * FROM t WHERE v1 = -1 + 1", ambiguous, "> 1").isAllowed());
    String call = "SELECT * FROM t WHERE c1 = nowhere.f(1) + 1";
    String there = ambiguous.replace("-1 and", "nowhere.f(1) and");
    String unknown = "! 2200 Unknown function nowhere.f called";
    assertTrue(refusals(call, there, unknown).isAllowed());
    assertFalse(refusals(call, there, unknown.replace("f called", "g called")).isAllowed());
    for (String view : List.of("m1", "\"Mv1\"")) {
      String ofView = "SELECT * FROM " + view + " WHERE v1 = -1 + 1";
      assertTrue(difference(ofView, ambiguous, "> 1").isAllowed(), view);
    }
    assertFalse(difference("SELECT c1, -1 + 1 FROM t", ambiguous, "> 1").isAllowed());
    String insert = "INSERT INTO t (p0, v1, c2) VALUES (?, 5, -1 + 1)";
    assertTrue(difference(insert, ambiguous, "> done").isAllowed());
    assertFalse(difference(insert.replace("c2", "v2"), ambiguous, "> done").isAllowed());
    assertFalse(difference(insert.replace("-1 +", "-2 +"), ambiguous, "> done").isAllowed());
    String in = "SELECT * FROM t WHERE p0 = 1 AND c1 IN (2, -1 + 1, 3)";
    assertTrue(difference(in, ambiguous, "> 1").isAllowed());
    assertFalse(difference(in.replace("c1", "v1"), ambiguous, "> 1").isAllowed());
    String tuples = "SELECT * FROM t WHERE (c1, c2) IN ((1, 2), (3, -1 + 1))";
    assertTrue(difference(tuples, ambiguous, "> 1").isAllowed());
    assertFalse(difference(tuples.replace("c1, c2", "v1, v2"), ambiguous, "> 1").isAllowed());
    String marker = ambiguous.replace("and 1", "and ?");
    assertFalse(difference("SELECT * FROM t WHERE c1 = -1 + ?", marker, "> 1").isAllowed());
  }

  @Test
  void aTupleWrittenAsABlobIsAllowedToBeRefused() {
    assertTrue(
        difference("SELECT WHERE v = 1d", "> 1", "! 2200 Not enough bytes to read a set")
            .isAllowed());
    String field = "! 2200 Failure validating the 0th field f; Not enough bytes to read a map";
    assertTrue(difference("UPDATE t SET v = 0001", "> done", field).isAllowed());
    assertFalse(
        difference("SELECT WHERE v = ?", "> 1", "! 2200 Not enough bytes to read a set")
            .isAllowed());
    String refused = "! 2200 Not enough bytes to read 0th component";
    assertTrue(difference("UPDATE t SET v = 0x00", "> done", refused).isAllowed());
    assertFalse(difference("UPDATE t SET v = ?", "> done", refused).isAllowed());
    assertFalse(difference("UPDATE t SET v = 0x00", "> done", "! 2200 no").isAllowed());
    String empty = "! 2200 Expected 2 bytes for a smallint (0)";
    assertTrue(difference("UPDATE t SET v = '1:'", "> done", empty).isAllowed());
    assertFalse(difference("UPDATE t SET v = ''", "> done", empty).isAllowed());
    assertFalse(difference("UPDATE t SET v = '1:'", "> done", "! 2200 no").isAllowed());
  }

  @Test
  void aRemovedElementIsAllowedNotToBeFound() {
    List<String> found = List.of("> ks.t: k int", "> 1", "> 2");
    List<String> fewer = List.of("> ks.t: k int", "> 2");
    String contains = "SELECT k FROM t WHERE s CONTAINS 1 ALLOW FILTERING";
    assertTrue(new Difference(statement(contains), found, fewer).isAllowed());
    assertFalse(new Difference(statement(contains), fewer, found).isAllowed());
    String limited = "SELECT k FROM t WHERE s CONTAINS 1 LIMIT 2 ALLOW FILTERING";
    assertTrue(new Difference(statement(limited), fewer, found).isAllowed());
    String equal = "SELECT k FROM t WHERE s = 1 ALLOW FILTERING";
    assertFalse(new Difference(statement(equal), found, fewer).isAllowed());
    List<String> refused = List.of("! 2200 Key may not be empty", "> 1", "> 2");
    List<String> refusedToo = List.of("! 2200 Key may not be empty", "> 2");
    assertTrue(new Difference(statement(contains), refused, refusedToo).isAllowed());
    assertFalse(new Difference(statement(contains), refused, fewer).isAllowed());
    assertFalse(new Difference(statement(contains), refused, List.of("> 2")).isAllowed());
  }

  @Test
  void thePositionOfAMistakeInJsonIsAllowedToDiffer() {
    String there = "! 1400 execution of 'f' failed: Could not decode JSON string 'x': column: 2";
    String here = "! 1400 execution of 'f' failed: Could not decode JSON string 'x': column: 1";
    assertTrue(difference("SELECT", there, here).isAllowed());
    assertFalse(difference("SELECT", there, "! 1400 no").isAllowed());
  }

  @Test
  void aDeletionOfColumnsOfARangeIsAllowedNotToBePrepared() {
    List<String> refused =
        List.of("> not prepared", "! 2200 Range deletions are not supported for specific columns");
    List<String> done = List.of("> done");
    List<String> lines = List.of("BATCH", "  DELETE v FROM t WHERE k = ? @bind 1");
    Script.Statement columns = new Script.Statement(1, List.of("batch logged"), lines, List.of());
    assertTrue(new Difference(columns, done, refused).isAllowed());
    assertFalse(new Difference(columns, done, List.of("> not prepared", "! 2200 no")).isAllowed());
    assertFalse(new Difference(columns, refused, done).isAllowed());
    Script.Statement rows = statement("DELETE FROM t WHERE k = 1");
    assertFalse(new Difference(rows, done, refused).isAllowed());
  }

  @Test
  void aDecimalIsAllowedToHaveItsLastForm() {
    assertTrue(difference("SELECT", "> 1.0E+10 | 2", "> 1E+10 | 2").isAllowed());
    assertFalse(difference("SELECT", "> 1.0E+10 | 2", "> 1E+10 | 3").isAllowed());
  }

  @Test
  void aMistakeOfSyntaxIsAllowedToComeBeforeOneFoundByTheParser() {
    String multiple = "! 2200 Multiple PRIMARY KEY specified for table 't' (exactly one required)";
    assertTrue(difference("CREATE", multiple, "! 2000 line 1:5 no").isAllowed());
    assertFalse(difference("CREATE", multiple, "! 2200 no").isAllowed());
    String type = "! 2000 Error setting type t: Unable to find abstract-type class 't'";
    assertFalse(difference("CREATE", type, "! 2000 line 1:5 no").isAllowed());
  }

  @Test
  void anUnfinishedCommentIsAllowedToBeNamedBeforeAColumnSetTwice() {
    String unfinished = "! 2000 line 1:35 mismatched character '<EOF>' expecting set null";
    String twice = "! 2000 Multiple incompatible setting of column v";
    String update = "UPDATE t SET v = 1, v = 2 WHERE--p9";
    assertTrue(new Difference(statement(update), List.of(unfinished), List.of(twice)).isAllowed());
    assertFalse(new Difference(statement(update), List.of(twice), List.of(unfinished)).isAllowed());
    Script.Statement once = statement("UPDATE t SET v = 1, uv = 2 WHERE--v = 9");
    assertFalse(new Difference(once, List.of(unfinished), List.of(twice)).isAllowed());
    String character = "! 2000 line 1:35 no viable alternative at character '@'";
    assertTrue(new Difference(statement(update), List.of(character), List.of(twice)).isAllowed());
    String text = "! 2000 line 1:35 mismatched character '?' expecting '$'";
    assertTrue(new Difference(statement(update), List.of(text), List.of(twice)).isAllowed());
    String elsewhere = "! 2000 line 1:35 mismatched input '<EOF>'";
    assertFalse(new Difference(statement(update), List.of(elsewhere), List.of(twice)).isAllowed());
  }

  @Test
  void anotherValueOfAJsonDocumentIsAllowedToBeNamed() {
    String there = "! 2200 Error decoding JSON value for a: Expected";
    assertTrue(
        difference("INSERT", there, "! 2200 Error decoding JSON value for b: no").isAllowed());
    assertFalse(
        difference("INSERT", there, "! 2200 Error decoding JSON value for a: no").isAllowed());
    String duration = "! 2200 Unable to convert '1' to a duration";
    assertTrue(difference("INSERT INTO t JSON ?", there, duration).isAllowed());
    assertTrue(difference("INSERT INTO t JSON ?", duration, there).isAllowed());
    assertFalse(difference("INSERT INTO t (d) VALUES (?)", duration, there).isAllowed());
    assertFalse(difference("INSERT INTO t JSON ?", duration, "! 2200 no").isAllowed());
  }

  @Test
  void differencesWithTheSameCauseHaveTheSameKind() {
    String kind = difference("SELECT * FROM t1 LIMIT 1", "> 1 | 'a'", "> 2 | 'a'").kind();
    assertEquals(kind, difference("SELECT * FROM t2 LIMIT 2", "> 3 | 'b'", "> 4 | 'b'").kind());
    assertNotEquals(kind, difference("SELECT * FROM t2", "> 3 | 'b'", "> 4 | 'b'").kind());
    assertEquals(
        difference("SELECT", "! 2200 Undefined column name c1 in table ks.t1", "> 1").kind(),
        difference("SELECT", "! 2200 Undefined column name v2 in table ks.t2", "> 7").kind());
  }

  @Test
  void aReportCanBePastedIntoAScript() {
    String report = difference("SELECT * FROM t", "> 1", "> 2").report();
    assertTrue(report.startsWith("@page 2\nSELECT * FROM t\n"), report);
    assertTrue(report.contains("reference > 1\n") && report.contains("subject   > 2\n"), report);
  }
}
