package io.helenus.server.query.select;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and PER PARTITION LIMIT. Immutable.
 *
 * @param rowsSlot slot of LIMIT; null without a LIMIT
 * @param perPartitionSlot slot of PER PARTITION LIMIT; null without one
 */
public record Limits(@Nullable Integer rowsSlot, @Nullable Integer perPartitionSlot) {
  /** The value of an absent limit. */
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  /** The value of LIMIT. */
  public int rows(BoundSlots bound) {
    return rowsSlot == null ? NO_LIMIT : value(rowsSlot, bound);
  }

  /** The value of PER PARTITION LIMIT. */
  public int perPartition(BoundSlots bound) {
    return perPartitionSlot == null ? NO_LIMIT : value(perPartitionSlot, bound);
  }

  private static int value(int slot, BoundSlots bound) {
    if (bound.length(slot) == BoundSlots.UNSET) {
      return NO_LIMIT;
    }
    if (bound.length(slot) <= 0) {
      throw CqlException.invalid("Invalid null value of limit");
    }
    int limit = Bytes.getInt(bound.segment(slot), bound.offset(slot));
    if (limit <= 0) {
      throw CqlException.invalid("LIMIT must be strictly positive");
    }
    return limit;
  }
}
