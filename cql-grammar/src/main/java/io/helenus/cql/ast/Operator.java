package io.helenus.cql.ast;

/** The comparison of a relation or condition that has one value on its right. */
public enum Operator {
  /** {@code =}. */
  EQ("="),
  /** {@code <}. */
  LT("<"),
  /** {@code <=}. */
  LTE("<="),
  /** {@code >}. */
  GT(">"),
  /** {@code >=}. */
  GTE(">="),
  /** {@code !=}. */
  NEQ("!="),
  /** {@code CONTAINS}. */
  CONTAINS("CONTAINS"),
  /** {@code CONTAINS KEY}. */
  CONTAINS_KEY("CONTAINS KEY"),
  /** {@code LIKE}. */
  LIKE("LIKE");

  private final String symbol;

  Operator(String symbol) {
    this.symbol = symbol;
  }

  /** As written in CQL. */
  @Override
  public String toString() {
    return symbol;
  }
}
