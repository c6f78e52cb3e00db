package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import org.jspecify.annotations.Nullable;

/**
 * The restriction of the partition key's token. Slots are of type bigint. Immutable; any thread.
 *
 * @param equalSlot the slot of {@code =}; -1 if not given
 * @param lowerSlot the slot of {@code >} or {@code >=}; -1 if not given
 * @param upperSlot the slot of {@code <} or {@code <=}; -1 if not given
 */
public record TokenRestriction(
    int equalSlot, int lowerSlot, boolean lowerInclusive, int upperSlot, boolean upperInclusive) {

  static TokenRestriction equal(int slot) {
    return new TokenRestriction(slot, -1, false, -1, false);
  }

  static TokenRestriction lower(int slot, boolean inclusive) {
    return new TokenRestriction(-1, slot, inclusive, -1, false);
  }

  static TokenRestriction upper(int slot, boolean inclusive) {
    return new TokenRestriction(-1, -1, false, slot, inclusive);
  }

  static TokenRestriction merge(
      @Nullable TokenRestriction existing, TokenRestriction added, String columnNames) {
    if (existing == null) {
      return added;
    }
    if (existing.equalSlot >= 0) {
      throw CqlException.invalid(
          columnNames + " cannot be restricted by more than one relation if it includes an Equal");
    }
    if (added.equalSlot >= 0) {
      throw CqlException.invalid(
          "Columns \""
              + columnNames
              + "\" cannot be restricted by both an equality and an inequality relation");
    }
    if (existing.lowerSlot >= 0 && added.lowerSlot >= 0) {
      throw CqlException.invalid(
          "More than one restriction was found for the start bound on " + columnNames);
    }
    if (existing.upperSlot >= 0 && added.upperSlot >= 0) {
      throw CqlException.invalid(
          "More than one restriction was found for the end bound on " + columnNames);
    }
    TokenRestriction lower = existing.lowerSlot >= 0 ? existing : added;
    TokenRestriction upper = existing.upperSlot >= 0 ? existing : added;
    return new TokenRestriction(
        -1, lower.lowerSlot, lower.lowerInclusive, upper.upperSlot, upper.upperInclusive);
  }
}
