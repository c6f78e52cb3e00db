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
  private final boolean[] lenientRules;
  private final ATN network;

  /**
   * A simulator for one parse.
   *
   * @param lenientRules by rule index: whether an option that cannot be decided is passed over
   *     instead of failing
   */
  LookaheadOnly(
      Parser parser,
      ATN atn,
      DFA[] decisions,
      PredictionContextCache cache,
      boolean[] lenientRules) {
    super(parser, atn, decisions, cache);
    this.network = atn;
    this.lenientRules = lenientRules;
    setPredictionMode(PredictionMode.SLL);
  }

  @Override
  public int adaptivePredict(TokenStream input, int decision, ParserRuleContext outerContext) {
    try {
      return super.adaptivePredict(input, decision, outerContext);
    } catch (NoViableAltException e) {
      int rule = network.decisionToState.get(decision).ruleIndex;
      if (lenientRules[rule]) {
        return 2;
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
}
