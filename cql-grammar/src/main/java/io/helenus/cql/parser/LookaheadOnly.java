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

/**
 * Predicts as the reference's parser does: by lookahead within the rule and then by what may follow
 * the rule anywhere (ANTLR's SLL mode, never full context), failing at the first token that no
 * alternative can take.
 */
final class LookaheadOnly extends ParserATNSimulator {
  /** The way of a type's name that goes past the keyspace: the reference does not look for more. */
  private static final int NO_KEYSPACE = 2;

  private final ATN network;
  private final LookaheadTokens tokens;

  LookaheadOnly(
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
    if (isKeywordBeforeAsterisk(rule, input)) {
      return 1;
    }
    int listed = rule == CqlGrammar.RULE_describeStatement ? listedBy(input.LA(1)) : 0;
    if (listed > 0) {
      tokens.stepsOver(1);
      return listed;
    }
    tokens.beginDecision();
    try {
      int alternative = super.adaptivePredict(input, decision, outerContext);
      if (stepsOverLastToken(rule)) {
        tokens.steppedOver();
      }
      return alternative;
    } catch (NoViableAltException e) {
      if (rule == CqlGrammar.RULE_userTypeName) {
        return NO_KEYSPACE;
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

  /** In {@code SELECT JSON *}, JSON is the keyword whatever comes after, and so is DISTINCT. */
  private static boolean isKeywordBeforeAsterisk(int rule, TokenStream input) {
    int keyword =
        switch (rule) {
          case CqlGrammar.RULE_projection -> CqlGrammar.K_JSON;
          case CqlGrammar.RULE_selectClause -> CqlGrammar.K_DISTINCT;
          default -> 0;
        };
    return keyword != 0 && input.LA(1) == keyword && input.LA(2) == CqlGrammar.ASTERISK;
  }

  /** The alternative of DESCRIBE that a keyword decides, whatever comes after it; 0 for others. */
  private static int listedBy(int token) {
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

  /**
   * The rules whose decisions the reference makes by table, stepping over every token that it looks
   * at.
   */
  private static boolean stepsOverLastToken(int rule) {
    return switch (rule) {
      case CqlGrammar.RULE_cqlStatement,
          CqlGrammar.RULE_projection,
          CqlGrammar.RULE_selectClause,
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
