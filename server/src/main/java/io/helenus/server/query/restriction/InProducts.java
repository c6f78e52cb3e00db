package io.helenus.server.query.restriction;

import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.query.value.BoundSlots;
import java.util.List;
import java.util.function.Consumer;

/** Checks the number of combinations of the values of INs. Stateless. */
public final class InProducts {
  private InProducts() {}

  /**
   * Checks the combinations after each restriction, as Cassandra does.
   *
   * @param restrictions by = and IN
   * @param what the columns, for texts
   * @return whether there are any combinations
   * @throws io.helenus.server.error.CqlException if there are too many, or a bound list is invalid
   */
  public static boolean check(
      List<Restriction> restrictions,
      String what,
      BoundSlots bound,
      Guardrails guardrails,
      Consumer<String> warnings) {
    if (restrictions.stream().noneMatch(Restriction.In.class::isInstance)) {
      return true;
    }
    long product = 1;
    for (Restriction restriction : restrictions) {
      if (restriction instanceof Restriction.In in) {
        product *= count(in, bound);
      }
      guardrails.check(Limit.IN_SELECT_CARTESIAN_PRODUCT, product, what, warnings);
      if (product == 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether an IN has no values, so that no row can match. */
  public static boolean hasEmptyIn(List<Restriction> restrictions, BoundSlots bound) {
    return restrictions.stream()
        .anyMatch(each -> each instanceof Restriction.In in && count(in, bound) == 0);
  }

  private static int count(Restriction.In in, BoundSlots bound) {
    int[] count = {0};
    InValuesReader.forEach(in, bound, new TupleValues(), ignored -> count[0]++);
    return count[0];
  }

  /** Whether every clustering column is restricted by = or IN. */
  public static boolean namesRows(List<Restriction> clustering, KeyLayout keys) {
    int columns = 0;
    for (Restriction restriction : clustering) {
      if (restriction instanceof Restriction.Slice) {
        return false;
      }
      columns += restriction.columns().size();
    }
    return columns == keys.clusteringCount();
  }
}
