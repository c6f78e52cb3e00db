package io.helenus.server.metadata;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.cql.ast.Operator;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.storage.engine.TableDescriptor;
import java.util.List;

/** The tags and flags of the format in docs/metadata-log.md. */
final class FactFormat {
  /** The version of the format that is written; all before it are read. */
  static final int VERSION = 2;

  /** The first version whose structures have lengths, and whose entries name a release. */
  static final int DELIMITED_VERSION = 2;

  static final int RECORD_SNAPSHOT = 0;
  static final int RECORD_PROPOSAL = 1;
  static final int RECORD_HOST_ID = 2;
  static final int RECORD_VOTE = 3;

  static final int NODE_JOINED = 1;
  static final int CREATE_KEYSPACE = 2;
  static final int ALTER_KEYSPACE = 3;
  static final int DROP_KEYSPACE = 4;
  static final int CREATE_TABLE = 5;
  static final int ALTER_TABLE = 6;
  static final int DROP_TABLE = 7;
  static final int CREATE_TYPE = 8;
  static final int ALTER_TYPE = 9;
  static final int DROP_TYPE = 10;
  static final int NODE_REGISTERED = 11;
  static final int VOTERS_CHANGED = 12;
  static final int TABLE_TRUNCATED = 13;

  static final int ORDERED_BY_VALUE = 1;
  static final int COMPACT_STATIC = 2;
  static final int COMPACT_DENSE = 4;
  static final int INDEXED = 8;
  static final int VIEW = 16;

  static final int DESCENDING = 1;
  static final int MULTI_CELL = 2;
  static final int MASKED = 4;
  static final int CONSTRAINED = 8;

  /** The operators of constraints, in the order of their codes from 1. */
  static final List<Operator> OPERATORS =
      List.of(Operator.EQ, Operator.NEQ, Operator.LT, Operator.LTE, Operator.GT, Operator.GTE);

  /** The kinds of indexes, in the order of their codes from 0. */
  static final List<IndexSchema.Kind> INDEX_KINDS =
      List.of(IndexSchema.Kind.LEGACY, IndexSchema.Kind.SAI);

  /** How conditions of views compare, in the order of their codes from 0. */
  static final List<ViewSchema.Operator> VIEW_OPERATORS =
      List.of(
          ViewSchema.Operator.IS_NOT_NULL,
          ViewSchema.Operator.EQ,
          ViewSchema.Operator.LT,
          ViewSchema.Operator.LTE,
          ViewSchema.Operator.GT,
          ViewSchema.Operator.GTE,
          ViewSchema.Operator.IN,
          ViewSchema.Operator.CONTAINS,
          ViewSchema.Operator.CONTAINS_KEY);

  /** The kinds of the cells of a column, in the order of their codes from 0. */
  static final List<TableDescriptor.Kind> CELL_KINDS =
      List.of(
          TableDescriptor.Kind.SIMPLE,
          TableDescriptor.Kind.MULTI_CELL,
          TableDescriptor.Kind.COUNTER);

  /** What of a column is indexed, in the order of its codes from 0. */
  static final List<TargetKind> INDEX_TARGETS =
      List.of(
          TargetKind.SIMPLE,
          TargetKind.VALUES,
          TargetKind.KEYS,
          TargetKind.ENTRIES,
          TargetKind.FULL);

  /** What became of proposals, in the order of the codes from 0. */
  static final List<Outcome> OUTCOMES = List.of(Outcome.APPLIED, Outcome.VOID, Outcome.REFUSED);

  static final int AUTO_SNAPSHOT = 1;
  static final int CDC = 2;
  static final int INCREMENTAL_BACKUPS = 4;

  private FactFormat() {}
}
