package io.helenus.server.query.select;

import io.helenus.server.ring.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one execution of a SELECT. Immutable.
 *
 * @param startNanos start of the request, from which its deadline is computed
 * @param nowSeconds the time, in seconds, at which cell expiry is evaluated
 * @param limit the value of LIMIT, or {@link Limits#NO_LIMIT}
 * @param perPartitionLimit the value of PER PARTITION LIMIT, or {@link Limits#NO_LIMIT}
 * @param pageSize rows per page, or {@link Limits#NO_LIMIT} if the result is not paged
 * @param resumed where the last page ended; null for the first page
 * @param skipMetadata whether the client already has the result metadata
 * @param newMetadataId new result metadata id if the client holds an outdated one; otherwise null
 * @param statement the CQL text as sent
 */
record SelectArguments(
    SelectPlan plan,
    ConsistencyLevel level,
    long startNanos,
    long nowSeconds,
    int limit,
    int perPartitionLimit,
    int pageSize,
    @Nullable PagingState resumed,
    boolean skipMetadata,
    byte @Nullable [] newMetadataId,
    String statement) {

  /**
   * The number of rows after which the reads end. Sorted rows are truncated to the limit
   * afterwards, and a single group consumes all rows.
   */
  int rowLimit() {
    if (plan.sortsPartitions() || plan.isSingleGroup()) {
      return Limits.NO_LIMIT;
    }
    return resumed == null ? limit : Math.min(limit, resumed.remaining());
  }
}
