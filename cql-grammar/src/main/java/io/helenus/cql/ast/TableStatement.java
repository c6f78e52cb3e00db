package io.helenus.cql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE, ALTER and DROP TABLE, and CREATE TABLE LIKE. */
public sealed interface TableStatement extends SchemaStatement {

  /** The table. */
  QualifiedName table();

  /**
   * CREATE TABLE. Column names are unique. Nothing else is validated: the names in keys and orders
   * may not be columns, and there may be no primary key.
   *
   * @param columns in the order of the text
   * @param partitionKey empty when no PRIMARY KEY was written
   */
  record CreateTable(
      QualifiedName table,
      boolean ifNotExists,
      List<ColumnDefinition> columns,
      List<String> partitionKey,
      List<String> clusteringColumns,
      List<ClusteringOrder> clusteringOrder,
      boolean compactStorage,
      Properties properties)
      implements TableStatement {
    /** Copies the lists. */
    public CreateTable {
      columns = List.copyOf(columns);
      partitionKey = List.copyOf(partitionKey);
      clusteringColumns = List.copyOf(clusteringColumns);
      clusteringOrder = List.copyOf(clusteringOrder);
    }

    @Override
    public String feature() {
      return "CREATE TABLE";
    }
  }

  /**
   * CREATE TABLE LIKE, an extension of Cassandra 6.
   *
   * @param table the new table
   * @param source the table whose columns and options it gets
   * @param indexes whether it gets the indexes too
   * @param properties replace options of the source
   */
  record CopyTable(
      QualifiedName table,
      boolean ifNotExists,
      QualifiedName source,
      boolean indexes,
      Properties properties)
      implements TableStatement {
    @Override
    public String feature() {
      return "CREATE TABLE LIKE";
    }
  }

  /** ALTER TABLE. */
  record AlterTable(QualifiedName table, boolean ifExists, Alteration alteration)
      implements TableStatement {
    @Override
    public String feature() {
      return switch (alteration) {
        case Alteration.ChangeType _ -> "ALTER TABLE ALTER TYPE";
        case Alteration.Mask _ -> "ALTER TABLE ALTER MASKED";
        case Alteration.Check _ -> "ALTER TABLE ALTER CHECK";
        case Alteration.Add _ -> "ALTER TABLE ADD";
        case Alteration.Drop _ -> "ALTER TABLE DROP";
        case Alteration.Rename _ -> "ALTER TABLE RENAME";
        case Alteration.DropCompactStorage _ -> "ALTER TABLE DROP COMPACT STORAGE";
        case Alteration.SetProperties _ -> "ALTER TABLE WITH";
      };
    }
  }

  /** DROP TABLE. */
  record DropTable(QualifiedName table, boolean ifExists) implements TableStatement {
    @Override
    public String feature() {
      return "DROP TABLE";
    }
  }

  /** What ALTER TABLE does. */
  sealed interface Alteration {

    /** {@code ALTER column TYPE type}. */
    record ChangeType(String column, TypeName type) implements Alteration {}

    /** {@code ALTER column MASKED WITH …}, or {@code DROP MASKED} when the mask is null. */
    record Mask(String column, boolean ifColumnExists, @Nullable ColumnMask mask)
        implements Alteration {}

    /** {@code ALTER column CHECK …} of Cassandra 6, or {@code DROP CHECK} without checks. */
    record Check(String column, boolean ifColumnExists, List<ColumnCheck> checks)
        implements Alteration {
      /** Copies the list. */
      public Check {
        checks = List.copyOf(checks);
      }
    }

    /** {@code ADD …}, at least one column. */
    record Add(boolean ifColumnNotExists, List<ColumnDefinition> columns) implements Alteration {
      /** Copies the list. */
      public Add {
        columns = List.copyOf(columns);
      }
    }

    /**
     * {@code DROP …}, at least one column.
     *
     * @param timestamp microseconds of USING TIMESTAMP; null when not written
     */
    record Drop(boolean ifColumnExists, List<String> columns, @Nullable Long timestamp)
        implements Alteration {
      /** Copies the list. */
      public Drop {
        columns = List.copyOf(columns);
      }
    }

    /** {@code RENAME a TO b AND …}, at least one renaming. */
    record Rename(boolean ifColumnExists, List<Renaming> renamings) implements Alteration {
      /** Copies the list. */
      public Rename {
        renamings = List.copyOf(renamings);
      }
    }

    /** {@code DROP COMPACT STORAGE}. */
    record DropCompactStorage() implements Alteration {}

    /** {@code WITH …}. */
    record SetProperties(Properties properties) implements Alteration {}
  }
}
