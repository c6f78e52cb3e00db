package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Measures the rules by published schemas: how many they blame wrongly, and how many they miss. */
class CorpusTest {
  private static List<PublishedSchema> good = List.of();
  private static List<PublishedSchema> mistakes = List.of();

  @BeforeAll
  static void read() throws IOException {
    List<PublishedSchema> all = PublishedSchema.all();
    good = all.stream().filter(PublishedSchema::isGood).toList();
    mistakes = all.stream().filter(each -> !each.isGood()).toList();
  }

  @Test
  void thereAreEnoughSchemasWithSourceVerdictAndReason() {
    assertTrue(good.size() >= 60, "good ones: " + good.size());
    assertTrue(mistakes.size() >= 40, "mistakes: " + mistakes.size());
    assertTrue(good.size() + mistakes.size() >= 120, "schemas");
    Set<String> names = new HashSet<>();
    for (PublishedSchema each : all()) {
      assertTrue(names.add(each.header("name")), () -> "twice: " + each);
      assertTrue(each.headers().keySet().containsAll(List.of("source", "reason")), each::toString);
      assertTrue(each.script().contains("CREATE TABLE"), each::toString);
      assertEquals(each.isGood() ? "good" : "mistake", each.header("verdict"), each::toString);
      assertEquals(each.isGood(), each.rules().isEmpty(), each::toString);
      assertTrue(each.file().startsWith(each.isGood() ? "good" : "mistakes"), each::toString);
    }
  }

  /** A rule that stands for a published mistake exists. */
  @Test
  void noMistakeIsWithoutItsRule() {
    Set<String> missing = new TreeSet<>();
    mistakes.forEach(each -> missing.addAll(each.rules()));
    SchemaAdvisor.ruleNames().forEach(missing::remove);
    assertEquals(Set.of(), missing);
  }

  /** And a rule that judges tables has at least two published mistakes to find. */
  @Test
  void noRuleIsWithoutMistakes() {
    for (String rule : SchemaAdvisor.ruleNames()) {
      assertTrue(firstRules(rule).size() >= 2, rule);
    }
  }

  @Test
  void atMostOneOfTwentyGoodSchemasRaisesAFalseAlarm() {
    List<String> alarms = new ArrayList<>();
    for (PublishedSchema each : good) {
      List<Advice> advice = each.advice();
      if (!advice.isEmpty()) {
        alarms.add(each + ": " + advice.stream().map(Advice::rule).distinct().toList());
      }
    }
    report("false alarms", alarms, good.size());
    assertTrue(alarms.size() * 20 <= good.size(), () -> String.join("\n", alarms));
  }

  @Test
  void atLeastNineOfTenMistakesAreFoundByTheirName() {
    List<String> missed = new ArrayList<>();
    List<String> weak = new ArrayList<>();
    int all = 0;
    for (String rule : SchemaAdvisor.ruleNames()) {
      List<PublishedSchema> expected = firstRules(rule);
      all += expected.size();
      int found = 0;
      for (PublishedSchema each : expected) {
        List<String> said = each.advice().stream().map(Advice::rule).distinct().toList();
        if (said.contains(rule)) {
          found++;
        } else {
          missed.add(rule + ": " + each + ", but " + said);
        }
      }
      if (found * 2 < expected.size()) {
        weak.add(rule + " finds " + found + " of " + expected.size());
      }
    }
    report("mistakes missed", missed, all);
    assertTrue(missed.size() * 10 <= all, () -> String.join("\n", missed));
    assertEquals(List.of(), weak);
  }

  /** What is said beside the expected is true as well, but for one in ten. */
  @Test
  void whatElseIsSaidAboutMistakesIsExpected() {
    Map<String, List<String>> unexpected = new TreeMap<>();
    for (PublishedSchema each : mistakes) {
      for (Advice advice : each.advice()) {
        if (!each.rules().contains(advice.rule())) {
          unexpected.computeIfAbsent(each.toString(), key -> new ArrayList<>()).add(advice.rule());
        }
      }
    }
    List<String> others = new ArrayList<>();
    unexpected.forEach((schema, rules) -> others.add(schema + ": " + rules));
    report("mistakes with other advice", others, mistakes.size());
    assertTrue(unexpected.size() * 10 <= mistakes.size(), unexpected::toString);
  }

  private static List<PublishedSchema> all() {
    List<PublishedSchema> all = new ArrayList<>(good);
    all.addAll(mistakes);
    return all;
  }

  private static List<PublishedSchema> firstRules(String rule) {
    return mistakes.stream().filter(each -> each.rules().getFirst().equals(rule)).toList();
  }

  private static void report(String what, List<String> which, int of) {
    System.out.println(what + ", " + which.size() + " of " + of + ":");
    which.forEach(each -> System.out.println("  " + each));
  }
}
