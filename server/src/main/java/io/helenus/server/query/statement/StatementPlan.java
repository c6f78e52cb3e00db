package io.helenus.server.query.statement;

import io.helenus.server.protocol.ResultColumns;
import org.jspecify.annotations.Nullable;

/** A statement, planned: what runs it needs no names and no text. Immutable; any thread. */
public interface StatementPlan {
  /** What runs a plan. */
  enum Kind {
    /** SELECT. */
    SELECT,
    /** INSERT, UPDATE or DELETE. */
    MODIFICATION,
    /** BEGIN BATCH … APPLY BATCH. */
    BATCH,
    /** TRUNCATE. */
    TRUNCATE,
    /** USE. */
    USE,
    /** CREATE, ALTER or DROP. */
    DEFINITION,
    /** DESCRIBE. */
    DESCRIBE
  }

  /** What runs it. */
  Kind kind();

  /** The markers with all that PREPARE tells of them. */
  default MarkerColumns markerColumns() {
    return MarkerColumns.NONE;
  }

  /** The markers, as PREPARE shows them. */
  default ResultColumns markers() {
    return markerColumns().columns();
  }

  /** The names by which values may be bound. */
  default @Nullable String[] markerNames() {
    return markerColumns().names();
  }

  /** For each part of the partition key the marker that binds it; empty unless all are bound. */
  default int[] partitionKeyIndexes() {
    return markerColumns().partitionKeyIndexes();
  }

  /** The columns of the rows that it answers with; null when it answers with none. */
  default @Nullable ResultColumns resultColumns() {
    return null;
  }

  /** Whether its text names a keyspace wherever it could, so that the one in use has no say. */
  boolean isQualified();
}
