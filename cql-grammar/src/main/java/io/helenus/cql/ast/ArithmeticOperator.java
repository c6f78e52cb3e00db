package io.helenus.cql.ast;

/** A binary operator of terms and selectors. */
public enum ArithmeticOperator {
  /** {@code +}. */
  ADD('+'),
  /** {@code -}. */
  SUBTRACT('-'),
  /** {@code *}. */
  MULTIPLY('*'),
  /** {@code /}. */
  DIVIDE('/'),
  /** {@code %}. */
  REMAINDER('%');

  private final char symbol;

  ArithmeticOperator(char symbol) {
    this.symbol = symbol;
  }

  /** The character of CQL. */
  public char symbol() {
    return symbol;
  }
}
