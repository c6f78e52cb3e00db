package io.helenus.cql.parser;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.DecisionState;
import org.antlr.v4.runtime.atn.EpsilonTransition;
import org.antlr.v4.runtime.atn.RuleTransition;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Notes which alternatives of the grammar statements take: those of rules and of blocks in
 * parentheses, and whether optional parts are present. Not thread-safe.
 */
final class GrammarCoverage {
  private static final ATN GRAMMAR = CqlGrammar._ATN;

  private final Set<Alternative> taken = new LinkedHashSet<>();

  /**
   * An alternative.
   *
   * @param decision the number of the decision in the grammar
   * @param number from 1
   */
  private record Alternative(int decision, int number) {}

  /** Notes the alternatives of a statement, unless the parser rejects it. */
  void add(String statement) {
    Set<Alternative> ofStatement = new LinkedHashSet<>();
    try {
      CqlParser.parse(statement);
      new Walk(new LookaheadTokens(new CqlLexer(statement)), ofStatement)
          .parse(CqlGrammar.RULE_query);
      taken.addAll(ofStatement);
    } catch (CqlSyntaxException _) {
      // a recorded syntax error
    } catch (ParseCancellationException _) {
      // a word that the parser reads in a second way when the first one fails
    }
  }

  /**
   * The alternatives that no statement takes, each as its rule, number and first tokens.
   *
   * @param refused the rules of statements that are not covered, nor what only they lead to
   */
  Set<String> missing(Set<String> refused) {
    Set<Integer> rules = rulesWithout(refused);
    Set<String> missing = new TreeSet<>();
    for (DecisionState decision : GRAMMAR.decisionToState) {
      for (int i = 1; i <= decision.getNumberOfTransitions(); i++) {
        if (rules.contains(decision.ruleIndex)
            && !(startsRule(decision, i, refused))
            && !taken.contains(new Alternative(decision.decision, i))) {
          missing.add(describe(decision, i));
        }
      }
    }
    return missing;
  }

  private static boolean startsRule(DecisionState decision, int alternative, Set<String> rules) {
    ATNState state = decision.transition(alternative - 1).target;
    while (state.getNumberOfTransitions() == 1
        && state.transition(0) instanceof EpsilonTransition) {
      state = state.transition(0).target;
    }
    return state.transition(0) instanceof RuleTransition rule
        && rules.contains(CqlGrammar.ruleNames[rule.ruleIndex]);
  }

  /** The rules that a statement leads to without those that are refused. */
  private static Set<Integer> rulesWithout(Set<String> refused) {
    Set<Integer> rules = new LinkedHashSet<>(Set.of(CqlGrammar.RULE_query));
    boolean grows = true;
    while (grows) {
      grows = false;
      for (ATNState state : GRAMMAR.states) {
        boolean calls =
            state != null
                && rules.contains(state.ruleIndex)
                && state.getNumberOfTransitions() > 0
                && state.transition(0) instanceof RuleTransition;
        if (calls) {
          int called = ((RuleTransition) state.transition(0)).ruleIndex;
          grows |= !refused.contains(CqlGrammar.ruleNames[called]) && rules.add(called);
        }
      }
    }
    return rules;
  }

  private static String describe(DecisionState decision, int alternative) {
    String rule = CqlGrammar.ruleNames[decision.ruleIndex];
    var first = GRAMMAR.nextTokens(decision.transition(alternative - 1).target);
    String tokens = first.toString(CqlGrammar.VOCABULARY);
    return rule + " " + alternative + " of " + decision.getNumberOfTransitions() + " " + tokens;
  }

  /** Follows the grammar without its actions. */
  private static final class Walk extends ParserInterpreter {
    private final Set<Alternative> taken;

    Walk(TokenStream tokens, Set<Alternative> taken) {
      super(
          "CqlGrammar",
          CqlGrammar.VOCABULARY,
          Arrays.asList(CqlGrammar.ruleNames),
          GRAMMAR,
          tokens);
      this.taken = taken;
      removeErrorListeners();
      setErrorHandler(new BailErrorStrategy());
    }

    @Override
    protected int visitDecisionState(DecisionState state) {
      int alternative = super.visitDecisionState(state);
      taken.add(new Alternative(state.decision, alternative));
      return alternative;
    }
  }
}
