package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdvicePagesTest {
  static List<AdvicePages.Page> pages() throws IOException {
    return AdvicePages.all().stream()
        .filter(each -> SchemaAdvisor.ruleNames().contains(each.rule()))
        .toList();
  }

  @Test
  void eachRuleHasOnePage() throws IOException {
    TreeSet<String> pages = new TreeSet<>();
    AdvicePages.all().forEach(page -> pages.add(page.rule()));
    assertEquals(new TreeSet<>(Silence.ruleNames()), pages);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aRuleSpeaksAboutTheBadExamplesOnly(AdvicePages.Page page) {
    assertFalse(page.bad().isEmpty() || page.good().isEmpty(), "examples");
    for (String bad : page.bad()) {
      assertTrue(rules(bad).contains(page.rule()), () -> "silent about " + bad);
    }
    for (String good : page.good()) {
      assertFalse(rules(good).contains(page.rule()), () -> "speaks about " + good);
    }
  }

  /** What is proposed can be pasted, and does not raise the same advice. */
  @ParameterizedTest
  @MethodSource("pages")
  void whatIsProposedIsBetter(AdvicePages.Page page) {
    for (String bad : page.bad()) {
      for (Advice advice : AdvicePages.adviceAbout(bad)) {
        if (advice.rule().equals(page.rule())) {
          assertFalse(rulesAfter(bad, advice.instead()).contains(page.rule()), advice::instead);
        }
      }
    }
  }

  /** About what there is when a proposal has been pasted. */
  private static List<String> rulesAfter(String bad, String instead) {
    if (instead.startsWith("ALTER KEYSPACE")) {
      return rules(instead + bad); // while the keyspace is empty
    }
    boolean replaces = instead.contains("ALTER TABLE ") || instead.contains("DROP ");
    return rules(replaces ? bad + ";" + instead : instead);
  }

  private static List<String> rules(String script) {
    return AdvicePages.adviceAbout(script).stream().map(Advice::rule).toList();
  }
}
