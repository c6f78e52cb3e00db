package io.helenus.cql.ast;

import java.util.List;

/** A statement that writes rows: INSERT, INSERT JSON, UPDATE or DELETE, alone or in a batch. */
public sealed interface ModificationStatement extends Statement {

  /** The table written to. */
  QualifiedName table();

  /** USING TIMESTAMP and TTL (a DELETE has no TTL). */
  UpdateParameters parameters();

  /** The IF clause. */
  Conditions conditions();

  /**
   * INSERT with a column list. The numbers of columns and values are not checked and may differ.
   *
   * @param conditions none or IF NOT EXISTS
   */
  record Insert(
      QualifiedName table,
      List<String> columns,
      List<Term> values,
      UpdateParameters parameters,
      Conditions conditions,
      List<BindMarker> bindMarkers)
      implements ModificationStatement {
    /** Copies the lists. */
    public Insert {
      columns = List.copyOf(columns);
      values = List.copyOf(values);
      bindMarkers = List.copyOf(bindMarkers);
    }

    @Override
    public String feature() {
      return "INSERT";
    }
  }

  /**
   * INSERT … JSON.
   *
   * @param defaultUnset whether columns absent from the document keep their values (DEFAULT UNSET)
   * @param conditions none or IF NOT EXISTS
   */
  record InsertJson(
      QualifiedName table,
      JsonValue json,
      boolean defaultUnset,
      UpdateParameters parameters,
      Conditions conditions,
      List<BindMarker> bindMarkers)
      implements ModificationStatement {
    /** Copies the list. */
    public InsertJson {
      bindMarkers = List.copyOf(bindMarkers);
    }

    @Override
    public String feature() {
      return "INSERT JSON";
    }
  }

  /**
   * UPDATE.
   *
   * @param conditions none, IF EXISTS or conditions on columns
   */
  record Update(
      QualifiedName table,
      UpdateParameters parameters,
      List<Assignment> assignments,
      List<Relation> where,
      Conditions conditions,
      List<BindMarker> bindMarkers)
      implements ModificationStatement {
    /** Copies the lists. */
    public Update {
      assignments = List.copyOf(assignments);
      where = List.copyOf(where);
      bindMarkers = List.copyOf(bindMarkers);
    }

    @Override
    public String feature() {
      return "UPDATE";
    }
  }

  /**
   * DELETE.
   *
   * @param deletions empty for whole rows
   * @param conditions none, IF EXISTS or conditions on columns
   */
  record Delete(
      QualifiedName table,
      List<Deletion> deletions,
      UpdateParameters parameters,
      List<Relation> where,
      Conditions conditions,
      List<BindMarker> bindMarkers)
      implements ModificationStatement {
    /** Copies the lists. */
    public Delete {
      deletions = List.copyOf(deletions);
      where = List.copyOf(where);
      bindMarkers = List.copyOf(bindMarkers);
    }

    @Override
    public String feature() {
      return "DELETE";
    }
  }
}
