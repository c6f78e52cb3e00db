package io.helenus.server.query.select;

import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.RowFilters;
import io.helenus.server.query.restriction.WherePlan;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink.Next;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the rows that are read belong to the result of a SELECT, counts what the result
 * has of them, and says when it has enough. It knows nothing of where rows come from or what
 * becomes of them: whoever walks through a run of rows in the order of the result, from a cursor or
 * merged from several replicas, calls for each partition
 *
 * <ol>
 *   <li>{@link #hasStaticRowAlone} of the partition before, whose static row is a row of the result
 *       if {@link #acceptsPartition} says so, then {@link #beginPartition};
 *   <li>{@link #staticRow}, if there is one;
 *   <li>for each row {@link #contains}, and {@link #test} if it does;
 *   <li>{@link #counted} for each row or group that was added to the result.
 * </ol>
 *
 * and after each read {@link #hasStaticRowAlone} and {@link #endRead}. A partition with only a
 * static row counts as one row if the statement does not restrict rows: this is known once the next
 * partition begins or the read ends.
 *
 * <p>Reused. Confined to one thread at a time.
 */
final class QualifiedRows {
  /** What becomes of a row. */
  enum Verdict {
    /** It belongs to the result. */
    ACCEPTED,
    /** It does not. */
    REJECTED,
    /** No row of its partition does. */
    PARTITION_REJECTED
  }

  private final RowFilters filters = new RowFilters();
  private final PageCounter counter = new PageCounter();
  private @Nullable ClusteringRanges ranges;
  private boolean staticRowsAlone;
  private boolean distinct;
  private boolean countsWhatIsRead;
  private boolean partitionOpen;
  private boolean partitionTested;
  private boolean rowsSeen;
  private boolean staticSeen;

  /**
   * Starts a result.
   *
   * @throws io.helenus.server.error.CqlException INVALID if a value of a filter is null or unset,
   *     or a tuple restriction cannot filter
   */
  void begin(SelectArguments arguments, BoundSlots bound) {
    SelectPlan plan = arguments.plan();
    WherePlan where = plan.where();
    filters.bind(where.filters(), where.index(), where.isKeyRange(), bound);
    counter.begin(
        arguments.rowLimit(),
        arguments.perPartitionLimit(),
        arguments.pageSize(),
        arguments.maxPageBytes());
    ranges = null;
    staticRowsAlone = where.returnsStaticContentAlone();
    distinct = plan.distinct();
    countsWhatIsRead =
        where.filters().isEmpty()
            && where.index() == null
            && where.nearest() == null
            && !plan.isAggregate()
            && !plan.keys().isLocal();
    partitionOpen = false;
  }

  /** Sets the number of rows that earlier pages returned of the only partition of the next read. */
  void resume(int given) {
    counter.resume(given);
  }

  /** Accepts only the rows of each partition that are in these ranges. */
  void onlyRows(ClusteringRanges wanted) {
    ranges = wanted;
  }

  /**
   * Limits a request to as many rows as are still wanted, so that a replica stops by itself. Where
   * rows are filtered or grouped, what is read says nothing about what the result has, and the
   * request is left as it is; so it is for the tables of the node itself, whose rows are built for
   * their sink.
   */
  void limit(ReadRequest request) {
    if (countsWhatIsRead && ranges == null) {
      request.rowLimits(
          counter.wanted(),
          distinct ? 1 : counter.wantedOfEachPartition(),
          staticRowsAlone && !counter.isResumed());
    }
  }

  // ---- the rows

  /**
   * Whether the partition has ended with a static row and no others, which is a row of the result
   * if it is {@linkplain #acceptsPartition accepted}. Asked once.
   */
  boolean hasStaticRowAlone() {
    boolean alone = partitionOpen && staticSeen && !rowsSeen && staticRowsAlone;
    partitionOpen = false;
    return alone;
  }

  /** Begins a partition. */
  void beginPartition() {
    partitionOpen = true;
    partitionTested = false;
    rowsSeen = counter.beginPartition();
    staticSeen = false;
  }

  /** The partition has a static row. */
  void staticRow() {
    staticSeen = true;
  }

  /** Whether a row with this clustering key, without the section, can belong to the result. */
  boolean contains(MemorySegment clustering, long offset, int length) {
    ClusteringRanges wanted = ranges;
    return wanted == null || wanted.containRow(clustering, offset, length);
  }

  /** Tests a row, which is {@linkplain #contains contained}. */
  Verdict test(RowFilters.Values row) {
    rowsSeen = true;
    if (!partitionTested) {
      partitionTested = true;
      if (!filters.acceptPartition(row)) {
        return Verdict.PARTITION_REJECTED;
      }
    }
    return filters.acceptRow(row) ? Verdict.ACCEPTED : Verdict.REJECTED;
  }

  /** Tests the static row and the key of a partition. */
  boolean acceptsPartition(RowFilters.Values staticRow) {
    return filters.acceptPartition(staticRow);
  }

  /**
   * Counts a row, or a group of rows, that has been added to the result.
   *
   * @param bytes the size of all rows of the page so far
   * @return how to go on: STOP if it is the last one of the result or the page
   */
  Next counted(long bytes) {
    if (counter.count(bytes)) {
      return Next.STOP;
    }
    return distinct || counter.isPartitionFull() ? Next.SKIP_PARTITION : Next.CONTINUE;
  }

  /** Ends a read; the next one begins with a new partition. */
  void endRead() {
    counter.endRead();
  }

  /** Ends the page with the row that was counted last; false if the result has no pages. */
  boolean endPage() {
    return counter.endPage();
  }

  // ---- the counts

  /** Whether the partition has reached its limit. */
  boolean isPartitionFull() {
    return counter.isPartitionFull();
  }

  /** Whether the result is paged. */
  boolean isPaged() {
    return counter.isPaged();
  }

  /** Whether the page is full, including when its last row is also the last one of LIMIT. */
  boolean isPageFull() {
    return counter.isPageFull();
  }

  /** Whether no more rows are needed. */
  boolean isOver() {
    return counter.isOver();
  }

  /** Rows remaining until LIMIT. */
  int remaining() {
    return counter.remaining();
  }

  /** Rows of the partition returned so far, by this page and earlier ones. */
  int givenInPartition() {
    return counter.givenInPartition();
  }
}
