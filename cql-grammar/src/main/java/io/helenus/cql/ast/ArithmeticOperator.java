package io.helenus.cql.ast;

/** A binary operator of terms and selectors. */
public enum ArithmeticOperator {
  /** {@code +}. */
  ADD('+', "_add"),
  /** {@code -}. */
  SUBTRACT('-', "_substract"),
  /** {@code *}. */
  MULTIPLY('*', "_multiply"),
  /** {@code /}. */
  DIVIDE('/', "_divide"),
  /** {@code %}. */
  REMAINDER('%', "_modulo");

  private final char symbol;
  private final String functionName;

  ArithmeticOperator(char symbol, String functionName) {
    this.symbol = symbol;
    this.functionName = functionName;
  }

  /** The operator in CQL. */
  public char symbol() {
    return symbol;
  }

  /** The function of the system keyspace that error messages show for the operator. */
  public String functionName() {
    return functionName;
  }
}
