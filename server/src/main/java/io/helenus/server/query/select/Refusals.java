package io.helenus.server.query.select;

import io.helenus.server.coordinator.Failures;
import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.memory.ShareExhaustedException;
import java.util.Locale;

/** The errors of reads whose rows were refused memory. Stateless. */
final class Refusals {
  private static final long MEBIBYTE = 1 << 20;

  private Refusals() {}

  /**
   * The error of a refusal: as Cassandra's for a read above coordinator_read_size_fail_threshold if
   * the rows would never fit, otherwise OVERLOADED.
   */
  static CqlError of(ShareExhaustedException refused, SelectPlan plan, ConsistencyLevel level) {
    if (refused.isTooLarge()) {
      return tooLarge(refused.limitBytes(), plan, level);
    }
    return new CqlError.Overloaded(
        "Large answers take "
            + mebibytes(refused.usedBytes())
            + " of "
            + mebibytes(refused.limitBytes())
            + " (see memory), of which one at a time may take more than half; use paging, or retry"
            + " later");
  }

  private static CqlError tooLarge(long limitBytes, SelectPlan plan, ConsistencyLevel level) {
    return Failures.readTooLarge(
        String.format(
            Locale.ROOT,
            "Read on table %s.%s has exceeded the size failure threshold of %,d bytes; use paging"
                + " or a smaller LIMIT, or raise memory",
            plan.keyspace().name(),
            plan.table().name(),
            limitBytes),
        level);
  }

  private static String mebibytes(long bytes) {
    return bytes / MEBIBYTE + " MiB";
  }
}
