package io.helenus.cql.parser;

import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNConfigSet;
import org.antlr.v4.runtime.atn.ParserATNSimulator;
import org.antlr.v4.runtime.atn.PredictionContextCache;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.dfa.DFA;
import org.antlr.v4.runtime.misc.IntervalSet;

/**
 * Chooses alternatives like the parser of the reference, Apache Cassandra: by lookahead within the
 * rule and then by the tokens that may follow the rule in any context (ANTLR's SLL mode, never full
 * context). It fails at the first token that no alternative accepts.
 */
final class ReferencePrediction extends ParserATNSimulator {
  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private final ATN network;
  private final LookaheadTokens tokens;

  ReferencePrediction(
      Parser parser,
      ATN network,
      DFA[] decisions,
      PredictionContextCache cache,
      LookaheadTokens tokens) {
    super(parser, network, decisions, cache);
    this.network = network;
    this.tokens = tokens;
    setPredictionMode(PredictionMode.SLL);
  }

  @Override
  public int adaptivePredict(TokenStream input, int decision, ParserRuleContext outerContext) {
    int rule = network.decisionToState.get(decision).ruleIndex;
    int tentative = tentativeAlternative(rule, input.LA(1));
    return tentative > 0 ? tentative : predict(input, decision, rule, outerContext);
  }

  /**
   * The alternative to try first, with backtracking if it fails; 0 for decisions made by lookahead.
   * Lookahead alone would have to scan selections of any length and cache a state for each of their
   * shapes.
   */
  private int tentativeAlternative(int rule, int token) {
    switch (rule) {
      case CqlGrammar.RULE_projection -> {
        return keywordElseName(token, CqlGrammar.K_JSON);
      }
      case CqlGrammar.RULE_selectClause -> {
        return keywordElseName(token, CqlGrammar.K_DISTINCT);
      }
      case CqlGrammar.RULE_parenthesisedSelection -> {
        return tokens.startsTypeHint(startsOf(CqlGrammar.RULE_selectionBase)) ? FIRST : SECOND;
      }
      case CqlGrammar.RULE_describeStatement -> {
        int listed = describeAlternative(token);
        if (listed > 0) {
          tokens.stepsOver(1);
        }
        return listed;
      }
      default -> {
        return 0;
      }
    }
  }

  /** A keyword if a selection can follow it, otherwise a column name. */
  private int keywordElseName(int token, int keyword) {
    IntervalSet selections = startsOf(CqlGrammar.RULE_selectors);
    if (token == keyword) {
      tokens.stepsOver(1);
      return selections.contains(tokens.LA(2)) ? FIRST : SECOND;
    }
    if (selections.contains(token)) {
      tokens.stepsOver(0);
    }
    return SECOND;
  }

  private IntervalSet startsOf(int rule) {
    return network.nextTokens(network.ruleToStartState[rule]);
  }

  private int predict(TokenStream input, int decision, int rule, ParserRuleContext outerContext) {
    tokens.beginDecision();
    try {
      int alternative = super.adaptivePredict(input, decision, outerContext);
      if (stepsOverLastToken(rule)) {
        tokens.steppedOver();
      }
      return alternative;
    } catch (NoViableAltException e) {
      if (rule == CqlGrammar.RULE_userTypeName) {
        // A type's name without a keyspace: the reference does not check what follows.
        return SECOND;
      }
      throw e;
    }
  }

  /** ANTLR would rather leave the rule than fail; the reference fails. */
  @Override
  protected int getSynValidOrSemInvalidAltThatFinishedDecisionEntryRule(
      ATNConfigSet configs, ParserRuleContext outerContext) {
    return ATN.INVALID_ALT_NUMBER;
  }

  /**
   * The alternative of DESCRIBE determined by a keyword regardless of what follows; 0 for others.
   */
  private static int describeAlternative(int token) {
    return switch (token) {
      case CqlGrammar.K_CLUSTER -> 1;
      case CqlGrammar.K_KEYSPACES -> 3;
      case CqlGrammar.K_TABLES -> 5;
      case CqlGrammar.K_TYPES -> 9;
      case CqlGrammar.K_FUNCTIONS -> 11;
      case CqlGrammar.K_AGGREGATES -> 13;
      default -> 0;
    };
  }

  /** The rules whose decisions the reference makes by table, consuming every token it examines. */
  private static boolean stepsOverLastToken(int rule) {
    return switch (rule) {
      case CqlGrammar.RULE_cqlStatement,
          CqlGrammar.RULE_selectionGroup,
          CqlGrammar.RULE_simpleSelection,
          CqlGrammar.RULE_selectionFunction,
          CqlGrammar.RULE_deletion,
          CqlGrammar.RULE_alterTableStatement,
          CqlGrammar.RULE_resource,
          CqlGrammar.RULE_roleOption,
          CqlGrammar.RULE_describeStatement,
          CqlGrammar.RULE_indexName,
          CqlGrammar.RULE_tableName,
          CqlGrammar.RULE_value_,
          CqlGrammar.RULE_functionName,
          CqlGrammar.RULE_function,
          CqlGrammar.RULE_termAddition,
          CqlGrammar.RULE_simpleTerm,
          CqlGrammar.RULE_plainAssignment,
          CqlGrammar.RULE_property,
          CqlGrammar.RULE_tupleComparison,
          CqlGrammar.RULE_relation,
          CqlGrammar.RULE_typeName ->
          true;
      default -> false;
    };
  }
}
