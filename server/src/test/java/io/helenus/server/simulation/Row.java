package io.helenus.server.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row as seen by a client; without clustering, it has the static value of a partition without
 * rows. The maps are empty instead of null.
 */
public record Row(
    int p,
    @Nullable Integer c,
    @Nullable Integer d,
    @Nullable Integer s,
    Map<Integer, Integer> sm,
    @Nullable Integer v,
    @Nullable Integer w,
    Map<Integer, Integer> m) {
  /** Whether this row comes before another of its partition: c ascending, d descending. */
  public boolean isBefore(Row other) {
    Integer c1 = c;
    Integer d1 = d;
    Integer c2 = other.c;
    Integer d2 = other.d;
    if (c1 == null || d1 == null || c2 == null || d2 == null) {
      return false;
    }
    return c1 < c2 || c1.equals(c2) && d1 > d2;
  }

  /** Whether this row has the same key as another one. */
  public boolean hasKeyOf(Row other) {
    return p == other.p
        && java.util.Objects.equals(c, other.c)
        && java.util.Objects.equals(d, other.d);
  }
}
