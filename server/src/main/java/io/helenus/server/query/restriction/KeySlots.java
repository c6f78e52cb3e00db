package io.helenus.server.query.restriction;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The short way for keys that are given by = alone: one slot per column. Stateless. */
public final class KeySlots {
  private KeySlots() {}

  /** One slot per column; null unless every restriction is an = without a bound tuple. */
  public static int @Nullable [] ofEqual(List<Restriction> restrictions) {
    int count = 0;
    for (Restriction restriction : restrictions) {
      if (!(restriction instanceof Restriction.Equal equal) || equal.value().isTuple()) {
        return null;
      }
      count += equal.columns().size();
    }
    int[] slots = new int[count];
    int at = 0;
    for (Restriction restriction : restrictions) {
      if (restriction instanceof Restriction.Equal equal) {
        for (int slot : equal.value().slots()) {
          slots[at++] = slot;
        }
      }
    }
    return slots;
  }
}
