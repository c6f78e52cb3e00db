package io.helenus.cql.ast;

import org.jspecify.annotations.Nullable;

/**
 * DESCRIBE (or DESC).
 *
 * @param withInternals whether WITH INTERNALS was written
 */
public record DescribeStatement(Subject subject, boolean withInternals) implements Statement {

  @Override
  public String feature() {
    return "DESCRIBE";
  }

  /** The kinds of elements that can be named or listed. */
  public enum ElementKind {
    KEYSPACE,
    TABLE,
    TYPE,
    FUNCTION,
    AGGREGATE,
    INDEX,
    VIEW
  }

  /** The subject to describe. */
  public sealed interface Subject {
    /** {@code CLUSTER}. */
    record Cluster() implements Subject {}

    /** {@code [FULL] SCHEMA}. */
    record Schema(boolean full) implements Subject {}

    /** {@code KEYSPACES}, {@code TABLES}, {@code TYPES}, {@code FUNCTIONS}, {@code AGGREGATES}. */
    record Listing(ElementKind kind) implements Subject {}

    /**
     * {@code [ONLY] KEYSPACE [name]}.
     *
     * @param only whether to omit the contents of the keyspace
     * @param keyspace null for the one in use
     */
    record Keyspace(@Nullable String keyspace, boolean only) implements Subject {}

    /** A table, index, view, type, function or aggregate by name. */
    record Element(ElementKind kind, QualifiedName name) implements Subject {}

    /** A name alone: a keyspace, table, index or view, in this order. */
    record Anything(QualifiedName name) implements Subject {}
  }
}
