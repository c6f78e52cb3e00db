package io.helenus.server.query.value;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import java.util.List;

/**
 * The values of a rejected statement, bound one at a time in the order of its checks. Allocates;
 * not for the hot path. Not thread-safe.
 */
public final class ValueWalk {
  private final ValueSlots slots;
  private final BoundValues values;
  private final BoundSlots bound;

  /** Creates a walk with no slot bound. */
  public ValueWalk(ValueSlots slots, BoundValues values, ExpressionEvaluator evaluator) {
    this.slots = slots;
    this.values = values;
    this.bound = new BoundSlots(evaluator);
    bound.begin(slots.count());
  }

  /** Binds a slot; does nothing for -1, the slot of an absent value. */
  public void bind(int slot) {
    if (slot >= 0) {
      bound.bind(slots, slot, values);
    }
  }

  /** Binds every slot. */
  public void bindAll() {
    bound.bind(slots, values);
  }

  /** The slots bound so far. */
  public BoundSlots bound() {
    return bound;
  }

  /** Runs checks in order until one stops or finds a mistake. */
  public Verdict check(List<ValueCheck> checks) {
    try {
      for (ValueCheck check : checks) {
        switch (check.check(this)) {
          case CONTINUE -> {}
          case NOTHING_TO_DO -> {
            return Verdict.NO_EFFECT;
          }
          case RUNS -> {
            return Verdict.VALID;
          }
        }
      }
    } catch (CqlException e) {
      return Verdict.of(e);
    }
    return Verdict.VALID;
  }
}
