package io.helenus.server.query.prepared;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.statement.StatementPlan;
import org.jspecify.annotations.Nullable;

/** Reorders named values to match the markers. Stateless; any thread. */
public final class NamedValues {
  private NamedValues() {}

  /** Returns the values in the order of the plan's markers; drops values with unknown names. */
  public static BoundValues inOrder(BoundValues values, StatementPlan plan) {
    if (!values.isNamed()) {
      return values;
    }
    BoundValues ordered = new BoundValues();
    ordered.begin(values.segment());
    for (@Nullable String name : plan.markerNames()) {
      int index = name == null ? -1 : values.indexOf(name);
      if (index >= 0) {
        ordered.add(values.offset(index), values.length(index));
      }
    }
    return ordered;
  }
}
