package io.helenus.server.types;

/** What a constant looks like in CQL text; the names appear in error texts. */
public enum ConstantKind {
  /** {@code 'text'} or {@code $$text$$}: the text without quotes. */
  STRING,
  /** {@code 12}, {@code -12}. */
  INTEGER,
  /** {@code 123e4567-e89b-12d3-a456-426614174000}, not quoted. */
  UUID,
  /** {@code 1.5}, {@code 1e10}, {@code NaN}, {@code -Infinity}. */
  FLOAT,
  /** {@code true}, {@code FALSE}. */
  BOOLEAN,
  /** {@code 0xCAFE}, with its prefix. */
  HEX,
  /** {@code 1h30m}, {@code P1Y2M}, {@code P1W}, {@code P0001-02-03T04:05:06}. */
  DURATION
}
