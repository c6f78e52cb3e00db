package io.helenus.cql.ast;

/** USE keyspace. */
public record UseStatement(String keyspace) implements Statement {
  @Override
  public String feature() {
    return "USE";
  }
}
