package io.helenus.server.advice;

/**
 * What a rule says about a table. Immutable; any thread.
 *
 * @param rule the short name of the rule, as in {@code docs/advice}
 * @param table the table, with its keyspace, as in CQL
 * @param problem what is wrong, and what it will cost, in whole sentences
 * @param instead the statements to write instead, ready to paste; empty if there is nothing to
 *     write
 */
public record Advice(String rule, String table, String problem, String instead) {
  /** The advice as a warning to a client. */
  public String text() {
    String text = rule + ": " + problem;
    if (!instead.isEmpty()) {
      text += " Instead: " + instead;
    }
    return text + " (docs/advice/" + rule + ".md)";
  }
}
