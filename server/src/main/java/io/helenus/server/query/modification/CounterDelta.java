package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.Bytes;

/** The delta of an increment, from the bound values. Stateless. */
final class CounterDelta {
  private CounterDelta() {}

  /**
   * Whether any change has a value.
   *
   * @throws CqlException INVALID if a value is null
   */
  static boolean isSet(CellOperation.Count count, BoundSlots bound) {
    boolean any = false;
    for (CellOperation.Count.Change change : count.changes()) {
      int length = bound.length(change.slot());
      if (length == BoundSlots.NULL) {
        throw CqlException.invalid("Invalid null value for counter increment");
      }
      if (length == 0) {
        throw CqlException.invalid("Invalid empty value for counter increment");
      }
      any |= length != BoundSlots.UNSET;
    }
    return any;
  }

  /** The sum of the changes; wraps at 64 bits. */
  static long of(CellOperation.Count count, BoundSlots bound) {
    long sum = 0;
    for (CellOperation.Count.Change change : count.changes()) {
      int slot = change.slot();
      if (bound.length(slot) == BoundSlots.UNSET) {
        continue;
      }
      long value = Bytes.getLong(bound.segment(slot), bound.offset(slot));
      if (change.subtracts() && value == Long.MIN_VALUE) {
        throw CqlException.invalid(
            "The negation of "
                + value
                + " overflows supported counter precision (signed 8 bytes integer)");
      }
      sum += change.subtracts() ? -value : value;
    }
    return sum;
  }
}
