package io.helenus.server.simulation;

import org.jspecify.annotations.Nullable;

/**
 * A row as a client sees it; without clustering it shows the static value of an empty partition.
 */
record Row(
    int p,
    @Nullable Integer c,
    @Nullable Integer d,
    @Nullable Integer s,
    @Nullable Integer v,
    @Nullable Integer w) {
  /** Whether this row comes before another of its partition: c ascending, d descending. */
  boolean isBefore(Row other) {
    Integer c1 = c;
    Integer d1 = d;
    Integer c2 = other.c;
    Integer d2 = other.d;
    if (c1 == null || d1 == null || c2 == null || d2 == null) {
      return false;
    }
    return c1 < c2 || c1.equals(c2) && d1 > d2;
  }

  /** Whether this is the row of another one's key. */
  boolean hasKeyOf(Row other) {
    return p == other.p
        && java.util.Objects.equals(c, other.c)
        && java.util.Objects.equals(d, other.d);
  }
}
