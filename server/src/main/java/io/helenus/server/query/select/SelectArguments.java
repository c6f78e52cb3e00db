package io.helenus.server.query.select;

import io.helenus.server.query.statement.RunContext;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.env.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one execution of a SELECT: set when the execution begins, only read afterwards.
 * Each {@link SelectOperation} reuses its own, so that an execution allocates none. Shard thread
 * only.
 */
final class SelectArguments {
  /** The largest page of a result that has no pages. */
  static final long NO_PAGES = Long.MAX_VALUE;

  private @Nullable SelectPlan plan;
  private ConsistencyLevel level = ConsistencyLevel.ONE;
  private long startNanos;
  private long nowSeconds;
  private int limit;
  private int perPartitionLimit;
  private int pageSize;
  private long maxPageBytes;
  private @Nullable PagingState resumed;
  private boolean skipMetadata;
  private byte @Nullable [] newMetadataId;
  private String statement = "";

  /** Sets what every execution has: an execution without limits whose result is not paged. */
  SelectArguments set(SelectPlan newPlan, RunContext context, long nanos, Clock clock) {
    plan = newPlan;
    level = context.parameters().consistency();
    startNanos = nanos;
    nowSeconds = context.nowSeconds(clock);
    skipMetadata = context.parameters().skipMetadata();
    newMetadataId = context.newMetadataId();
    statement = context.statement();
    maxPageBytes = NO_PAGES;
    return limits(Limits.NO_LIMIT, Limits.NO_LIMIT).page(Limits.NO_LIMIT, null);
  }

  /** Sets another consistency level than that of the request. */
  SelectArguments level(ConsistencyLevel lowered) {
    level = lowered;
    return this;
  }

  /** Sets the values of LIMIT and PER PARTITION LIMIT, or {@link Limits#NO_LIMIT}. */
  SelectArguments limits(int rows, int rowsPerPartition) {
    limit = rows;
    perPartitionLimit = rowsPerPartition;
    return this;
  }

  /**
   * Sets the page.
   *
   * @param size rows per page, or {@link Limits#NO_LIMIT} if the result is not paged
   * @param from where the last page ended; null for the first page
   */
  SelectArguments page(int size, @Nullable PagingState from) {
    pageSize = size;
    resumed = from;
    return this;
  }

  /** Lets a page end with the row that reaches this size; the client must know of paging. */
  SelectArguments maxPageBytes(long bytes) {
    maxPageBytes = bytes;
    return this;
  }

  SelectPlan plan() {
    if (plan == null) {
      throw new IllegalStateException("no SELECT is in flight");
    }
    return plan;
  }

  ConsistencyLevel level() {
    return level;
  }

  /** The start of the request, from which its deadline is computed. */
  long startNanos() {
    return startNanos;
  }

  /** The time, in seconds, at which cell expiry is evaluated. */
  long nowSeconds() {
    return nowSeconds;
  }

  /** The value of LIMIT, or {@link Limits#NO_LIMIT}. */
  int limit() {
    return limit;
  }

  /** The value of PER PARTITION LIMIT, or {@link Limits#NO_LIMIT}. */
  int perPartitionLimit() {
    return perPartitionLimit;
  }

  /** Rows per page, or {@link Limits#NO_LIMIT} if the result is not paged. */
  int pageSize() {
    return pageSize;
  }

  /** The size at which a page ends, or {@link #NO_PAGES}. */
  long maxPageBytes() {
    return maxPageBytes;
  }

  /** Where the last page ended; null for the first page. */
  @Nullable PagingState resumed() {
    return resumed;
  }

  /** Whether the client already has the result metadata. */
  boolean skipMetadata() {
    return skipMetadata;
  }

  /** The new result metadata id if the client holds an outdated one; otherwise null. */
  byte @Nullable [] newMetadataId() {
    return newMetadataId;
  }

  /** The CQL text as sent. */
  String statement() {
    return statement;
  }

  /**
   * The number of rows after which the reads end. Sorted rows are truncated to the limit
   * afterwards, and a single group consumes all rows.
   */
  int rowLimit() {
    if (plan().sortsRows() || plan().isSingleGroup()) {
      return Limits.NO_LIMIT;
    }
    return resumed == null ? limit : Math.min(limit, resumed.remaining());
  }
}
