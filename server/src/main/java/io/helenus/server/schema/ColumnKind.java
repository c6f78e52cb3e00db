package io.helenus.server.schema;

import java.util.Locale;

/** The role of a column in its table. */
public enum ColumnKind {
  /** Part of the partition key. */
  PARTITION_KEY,
  /** A clustering column. */
  CLUSTERING,
  /** One value per partition. */
  STATIC,
  /** One value per row. */
  REGULAR;

  private final String cqlName = name().toLowerCase(Locale.ROOT);

  /** The {@code kind} of system_schema.columns. */
  public String cqlName() {
    return cqlName;
  }
}
