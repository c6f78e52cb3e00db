package io.helenus.server.query.statement;

import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.schema.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plan of a statement; running it looks up no names. Immutable; any thread. */
public interface StatementPlan {
  /** The kinds of plans, by how they are run. */
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
    DESCRIBE,
    /** EXPLAIN. */
    EXPLAIN
  }

  /** The kind of this plan. */
  Kind kind();

  /** The markers with everything that PREPARE returns about them. */
  default MarkerColumns markerColumns() {
    return MarkerColumns.NONE;
  }

  /** The names and types of the markers, as PREPARE returns them. */
  default ResultColumns markers() {
    return markerColumns().columns();
  }

  /** Whether it can be run without values for its markers. */
  default boolean runsWithoutValues() {
    return false;
  }

  /** The names by which values can be bound. */
  default @Nullable String[] markerNames() {
    return markerColumns().names();
  }

  /** The marker of each partition key column; empty unless all have a marker. */
  default int[] partitionKeyIndexes() {
    return markerColumns().partitionKeyIndexes();
  }

  /** The columns of the result; null if the statement returns no rows. */
  default @Nullable ResultColumns resultColumns() {
    return null;
  }

  /**
   * The tables whose definitions give the markers and the results their meaning, in the order of
   * the text. TRUNCATE has no such table: it only needs one of this name.
   */
  default List<TableSchema> tables() {
    return List.of();
  }

  /** Whether all names are qualified, so that the keyspace in use is irrelevant. */
  boolean isQualified();
}
