package io.helenus.cql.ast;

import java.util.List;

/**
 * BEGIN … BATCH … APPLY BATCH. The bind markers are numbered consecutively across all statements of
 * the batch.
 */
public record BatchStatement(
    Kind kind,
    UpdateParameters parameters,
    List<ModificationStatement> statements,
    List<BindMarker> bindMarkers)
    implements Statement {
  /** Copies the lists. */
  public BatchStatement {
    statements = List.copyOf(statements);
    bindMarkers = List.copyOf(bindMarkers);
  }

  /** The kind of batch: the word between BEGIN and BATCH. */
  public enum Kind {
    /** Nothing. */
    LOGGED,
    /** {@code UNLOGGED}. */
    UNLOGGED,
    /** {@code COUNTER}. */
    COUNTER
  }

  @Override
  public String feature() {
    return switch (kind) {
      case LOGGED -> "BATCH";
      case UNLOGGED -> "UNLOGGED BATCH";
      case COUNTER -> "COUNTER BATCH";
    };
  }
}
