package io.helenus.server.query.select;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.ring.ConsistencyLevel;

/**
 * What is checked when a SELECT with ORDER BY … ANN OF is executed, with Cassandra's texts.
 * Stateless.
 */
final class NearestRules {
  /** The most rows that are found. */
  static final int MAX_LIMIT = 1000;

  private static final String LIMIT_NEEDED =
      "Use of ANN OF in an ORDER BY clause requires a LIMIT that is not greater than "
          + MAX_LIMIT
          + ". LIMIT was ";

  private NearestRules() {}

  /**
   * Rejects what the order does not allow, and warns of what is done in another way.
   *
   * @return the level of the read, which can be lower than that of the request
   */
  static ConsistencyLevel admit(SelectPlan plan, int limit, RunContext context) {
    requireRows(plan, context.parameters().consistency());
    ConsistencyLevel level = level(context);
    requireLimit(plan, limit);
    int pageSize = context.parameters().pageSize();
    if (pageSize > 0 && pageSize < limit) {
      context.warn(
          "Top-K queries do not support paging and the page size is set to "
              + pageSize
              + ", which is less than LIMIT "
              + limit
              + ". The page size has been set to "
              + limit
              + " to match the LIMIT.");
    }
    return level;
  }

  /** Rejects aggregates, and levels of conditional writes. */
  static void requireRows(SelectPlan plan, ConsistencyLevel wanted) {
    if (plan.isAggregate()) {
      throw CqlException.invalid("Top-K queries can not be run with aggregation");
    }
    if (wanted.isSerial()) {
      throw CqlException.invalid(
          "Top-K queries can only be run with consistency level ONE/LOCAL_ONE. Consistency level "
              + wanted
              + " was used.");
    }
  }

  /** Requires one limit on all rows. */
  static void requireLimit(SelectPlan plan, int limit) {
    if (plan.limits().perPartitionSlot() != null || plan.distinct()) {
      throw CqlException.invalid("Top-K queries do not support per-partition limits");
    }
    if (limit == Limits.NO_LIMIT) {
      throw CqlException.invalid(
          "Top-K queries must have a limit specified and the limit must be less than the query"
              + " page size");
    }
  }

  private static ConsistencyLevel level(RunContext context) {
    ConsistencyLevel wanted = context.parameters().consistency();
    return switch (wanted) {
      case ONE, LOCAL_ONE, NODE_LOCAL -> wanted;
      case LOCAL_QUORUM -> lowered(wanted, ConsistencyLevel.LOCAL_ONE, context);
      case TWO, THREE, QUORUM, ALL, EACH_QUORUM -> lowered(wanted, ConsistencyLevel.ONE, context);
      case ANY, SERIAL, LOCAL_SERIAL -> throw new IllegalStateException(wanted + " was rejected");
    };
  }

  private static ConsistencyLevel lowered(
      ConsistencyLevel wanted, ConsistencyLevel level, RunContext context) {
    context.warn(
        "Top-K queries can only be run with consistency level ONE / LOCAL_ONE / NODE_LOCAL."
            + " Consistency level "
            + wanted
            + " was requested. Downgrading the consistency level to "
            + level
            + ".");
    return level;
  }

  /** Rejects a limit that is too high, and a vector that rows cannot be compared with. */
  static void check(NearestOrder order, int limit, BoundSlots bound) {
    if (limit > MAX_LIMIT) {
      throw limitNeeded(limit);
    }
    requireComparable(order, bound);
  }

  private static void requireComparable(NearestOrder order, BoundSlots bound) {
    int slot = order.slot();
    String objection =
        order.similarity().objection(bound.segment(slot), bound.offset(slot), order.dimension());
    if (objection != null) {
      throw CqlException.invalid(
          "Vectors in column "
              + order.column()
              + " cannot be compared with this one: "
              + objection);
    }
  }

  /** The error of a limit that is too high. */
  static CqlException limitNeeded(int limit) {
    return CqlException.invalid(LIMIT_NEEDED + limit);
  }

  /**
   * Requires a vector.
   *
   * @throws CqlException INVALID if its value is null or unset
   */
  static void requireSet(NearestOrder order, BoundSlots bound) {
    int length = bound.length(order.slot());
    if (length < 0) {
      throw CqlException.invalid(
          "Unsupported "
              + (length == BoundSlots.NULL ? "null" : "unset")
              + " value for column "
              + order.column());
    }
  }
}
