package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.antlr.v4.runtime.dfa.DFA;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Parsing a mutated statement yields a statement or a syntax error, nothing else. {@code
 * -Dhelenus.fuzz.statements=N} sets the number of statements, {@code -Dseed=N} repeats a run.
 */
class ParserFuzzTest {
  @RegisterExtension final Seeds seeds = Seeds.from(20261121);

  private static final String CHARACTERS =
      "()[]{}<>,.:;'\"$-+*/%=!?_ \n\t\0\u00e9\uD83D\uDE00aekxNP0159";

  private static final String[] OPENING = {"[", "{", "f(", "1"};
  private static final String CLOSING = "]})";

  private final List<String> statements = new ArrayList<>(GoldenStatements.accepted());

  @Test
  void mutatedStatementsAreParsedOrRejected() {
    int count = Integer.getInteger("helenus.fuzz.statements", 10_000);
    Random random = seeds.random();
    for (int i = 0; i < count; i++) {
      check(mutated(random));
    }
  }

  /**
   * The parser's cache of decisions is bounded by the grammar, not by its input: new arrangements
   * of brackets add nothing. (Lookahead through selections of any shape used to add thousands of
   * states for each such statement and took seconds.)
   */
  @Test
  void newNestingShapesDoNotGrowTheDecisionCache() {
    Random random = seeds.random();
    nested(random);
    int before = rememberedStates();
    for (int i = 0; i < 20; i++) {
      assertFalse(CqlParser.parse(nested(random)).feature().isEmpty());
    }
    int added = rememberedStates() - before;
    assertTrue(added < 100, () -> added + " states added");
  }

  private static int rememberedStates() {
    int count = 0;
    for (DFA decision : CqlGrammar._decisionToDFA) {
      count += decision.states.size();
    }
    return count;
  }

  private static String nested(Random random) {
    StringBuilder text = new StringBuilder("SELECT (a)[");
    StringBuilder open = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      int choice = open.length() > 60 ? 3 : random.nextInt(4);
      text.append(choice == 3 && open.isEmpty() ? "1, " : OPENING[choice]);
      if (choice < 3) {
        open.append(CLOSING.charAt(choice));
      } else if (!open.isEmpty()) {
        text.append(open.charAt(open.length() - 1)).append(", 1, ");
        open.setLength(open.length() - 1);
      }
    }
    return text.append('1').append(open.reverse()).append("] FROM t").toString();
  }

  private String mutated(Random random) {
    String text = any(random);
    int mutations = 1 + random.nextInt(4);
    for (int i = 0; i < mutations; i++) {
      text = random.nextBoolean() ? characterMutation(text, random) : wordMutation(text, random);
    }
    return text;
  }

  private String any(Random random) {
    return statements.get(random.nextInt(statements.size()));
  }

  private static String characterMutation(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    char c = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
    return switch (random.nextInt(4)) {
      case 0 -> text.substring(0, at) + c + text.substring(at);
      case 1 -> text.substring(0, at) + c + text.substring(Math.min(text.length(), at + 1));
      case 2 -> text.substring(0, at);
      default -> text.substring(0, at) + text.substring(Math.min(text.length(), at + 1));
    };
  }

  private String wordMutation(String text, Random random) {
    String[] words = text.split("(?<=\\W)|(?=\\W)", -1);
    String[] others = any(random).split("(?<=\\W)|(?=\\W)", -1);
    int at = random.nextInt(words.length);
    String other = others[random.nextInt(others.length)];
    switch (random.nextInt(4)) {
      case 0 -> words[at] = other;
      case 1 -> words[at] = words[at] + " " + other + " ";
      case 2 -> words[at] = (words[at] + " ").repeat(1 + random.nextInt(200));
      default -> words[at] = "";
    }
    return String.join("", words);
  }

  private static void check(String statement) {
    try {
      assertFalse(CqlParser.parse(statement).feature().isEmpty());
    } catch (CqlSyntaxException e) {
      assertFalse(e.getMessage().isEmpty());
    } catch (RuntimeException | StackOverflowError e) {
      fail(e + " for " + statement, e);
    }
  }
}
