package io.helenus.server.differential;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class VaryingTextTest {
  private static boolean isAllowed(String text, String reference, String subject) {
    return new VaryingText(text, List.of("> h", reference), List.of("> h", subject)).isAllowed();
  }

  @Test
  void theScaleOfALogarithmMayVary() {
    String select = "SELECT log10(v), w FROM t";
    assertTrue(isAllowed(select, "> 0E+98 | 1", "> 0E+33 | 1"));
    assertFalse(isAllowed(select, "> 0E+98 | 1", "> 0E+33 | 2"));
    assertTrue(isAllowed(select, "> {-1E+1}", "> {-10.00000000000000000000}"));
    assertFalse(isAllowed(select, "> -1E+1", "> -10.00000000000000000001"));
    assertFalse(isAllowed(select, "> 1E+98", "> 1E+33"));
    assertFalse(isAllowed("SELECT v FROM t", "> 0E+98", "> 0E+33"));
  }

  @Test
  void theTextOfAnExceptionMayBeMissing() {
    String value = "! 2200 Error decoding JSON value for v: Value '1' is not a valid blob";
    String exception =
        " representation: class java.lang.Integer cannot be cast to class java.lang.String"
            + " (java.lang.Integer and java.lang.String are in module java.base of loader"
            + " 'bootstrap')";
    String insert = "INSERT INTO t JSON ?";
    assertTrue(isAllowed(insert, value + " representation: null", value + exception));
    assertFalse(isAllowed(insert, value + exception, value + " representation: null"));
    assertFalse(isAllowed(insert, value + " representation: other", value + exception));
    assertFalse(isAllowed(insert, "! 2200 representation: null", value + exception));
  }

  @Test
  void nullsInAListMayBeEmptyTextsInJson() {
    String select = "SELECT JSON count(p0), [p0, p0] FROM t";
    assertTrue(isAllowed(select, "> '{\"l\": [\"\", \"\"]}'", "> '{\"l\": [null, null]}'"));
    assertFalse(isAllowed(select, "> '{\"l\": [null]}'", "> '{\"l\": [\"\"]}'"));
    assertFalse(isAllowed(select, "> '{\"l\": [\"a\"]}'", "> '{\"l\": [null]}'"));
    assertFalse(isAllowed("SELECT JSON v FROM t", "> '{\"v\": [\"\"]}'", "> '{\"v\": [null]}'"));
  }
}
