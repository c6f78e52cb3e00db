package io.helenus.cql.ast;

/** TRUNCATE [TABLE] table. */
public record TruncateStatement(QualifiedName table) implements Statement {
  @Override
  public String feature() {
    return "TRUNCATE";
  }
}
