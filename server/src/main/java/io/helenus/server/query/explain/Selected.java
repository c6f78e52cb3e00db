package io.helenus.server.query.explain;

import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.select.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a SELECT select. Immutable.
 *
 * @param partitions those that are selected by key; null if they are not, or not known
 * @param tokenShare the share of all tokens that is scanned
 * @param limit of all rows, or {@link Limits#NO_LIMIT}
 * @param perPartition of the rows of a partition, or {@link Limits#NO_LIMIT}
 */
record Selected(
    @Nullable List<PartitionList.Partition> partitions,
    double tokenShare,
    int limit,
    int perPartition) {
  /** Copies the list. */
  Selected {
    partitions = partitions == null ? null : List.copyOf(partitions);
  }

  /** What is known without values. */
  static Selected unknown(boolean restrictsToken) {
    return new Selected(null, restrictsToken ? 0.5 : 1, Limits.NO_LIMIT, Limits.NO_LIMIT);
  }
}
