package io.helenus.server.query.select;

import io.helenus.server.ring.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a SELECT was asked for. Immutable.
 *
 * @param startNanos when the request began; its deadline counts from there
 * @param nowSeconds the second at which cells are judged live or expired
 * @param limit the value of LIMIT, or {@link Limits#NO_LIMIT}
 * @param perPartitionLimit the value of PER PARTITION LIMIT, or {@link Limits#NO_LIMIT}
 * @param pageSize rows of a page, or {@link Limits#NO_LIMIT} where the answer is not paged
 * @param resumed where the last page ended; null for the first one
 * @param skipMetadata whether the client knows the columns of the answer
 * @param newMetadataId of the columns, where the client knows them by another id; else null
 * @param statement as it was sent
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
   * The rows after which the reads end. Rows that are sorted are cut to the limit afterwards, and a
   * single group takes all of them.
   */
  int rowLimit() {
    if (plan.sortsPartitions() || plan.isSingleGroup()) {
      return Limits.NO_LIMIT;
    }
    return resumed == null ? limit : Math.min(limit, resumed.remaining());
  }
}
