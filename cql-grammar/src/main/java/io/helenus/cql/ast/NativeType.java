package io.helenus.cql.ast;

import java.util.Locale;

/**
 * The scalar types that have a keyword in CQL. {@code varchar} and {@code text} are separate
 * constants although they are the same type, because messages show the keyword as written.
 */
public enum NativeType {
  ASCII,
  BIGINT,
  BLOB,
  BOOLEAN,
  COUNTER,
  DATE,
  DECIMAL,
  DOUBLE,
  DURATION,
  FLOAT,
  INET,
  INT,
  SMALLINT,
  TEXT,
  TIME,
  TIMESTAMP,
  TIMEUUID,
  TINYINT,
  UUID,
  VARCHAR,
  VARINT;

  private final String keyword = name().toLowerCase(Locale.ROOT);

  /** The keyword in lower case. */
  @Override
  public String toString() {
    return keyword;
  }
}
