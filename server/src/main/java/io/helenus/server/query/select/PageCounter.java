package io.helenus.server.query.select;

/**
 * Counts the rows of a result against LIMIT, PER PARTITION LIMIT and the page size, each of which
 * may be {@link Limits#NO_LIMIT}, and their bytes against the largest page. Reused. Confined to one
 * thread at a time.
 */
final class PageCounter {
  private int remaining;
  private int pageRemaining;
  private long maxPageBytes;
  private int perPartitionLimit;
  private int givenInPartition;
  private int givenBefore;
  private boolean limitReached;
  private boolean pageFull;

  /** Starts a result of so many rows, in all, of each partition, of the page, and so large. */
  void begin(int rows, int perPartition, int pageSize, long pageBytes) {
    remaining = rows;
    pageRemaining = pageSize;
    maxPageBytes = pageBytes;
    perPartitionLimit = perPartition;
    givenInPartition = 0;
    givenBefore = 0;
    limitReached = false;
    pageFull = false;
  }

  /** Sets the number of rows that earlier pages returned of the only partition of the next read. */
  void resume(int given) {
    givenBefore = given;
  }

  /**
   * Begins a partition.
   *
   * @return whether earlier pages returned rows of it
   */
  boolean beginPartition() {
    givenInPartition = givenBefore;
    givenBefore = 0;
    return givenInPartition > 0;
  }

  /** Ends a read; the next one begins with a new partition. */
  void endRead() {
    givenBefore = 0;
  }

  /**
   * Counts a row.
   *
   * @param bytes the size of all rows of the page so far
   * @return whether it is the last one
   */
  boolean count(long bytes) {
    givenInPartition++;
    if (remaining != Limits.NO_LIMIT && --remaining == 0) {
      limitReached = true;
      return true;
    }
    if (pageRemaining != Limits.NO_LIMIT && --pageRemaining == 0) {
      pageFull = true;
      return true;
    }
    return bytes >= maxPageBytes && endPage();
  }

  /** Ends the page with the row that was counted last; false if the result has no pages. */
  boolean endPage() {
    pageFull = maxPageBytes != SelectArguments.NO_PAGES;
    return pageFull;
  }

  /** Whether the partition has reached its limit. */
  boolean isPartitionFull() {
    return givenInPartition >= perPartitionLimit;
  }

  /** Whether the result is paged. */
  boolean isPaged() {
    return pageRemaining != Limits.NO_LIMIT;
  }

  /** Whether the page is full, including when its last row is also the last one of LIMIT. */
  boolean isPageFull() {
    return pageFull;
  }

  /** Whether no more rows are needed. */
  boolean isOver() {
    return limitReached || pageFull;
  }

  /** How many more rows are wanted at most, or {@link Limits#NO_LIMIT}. */
  int wanted() {
    return Math.min(remaining, pageRemaining);
  }

  /**
   * How many rows are wanted of each partition of the next read, or {@link Limits#NO_LIMIT}; if
   * earlier pages returned too many already, since the limit is a bound value, it is one more.
   */
  int wantedOfEachPartition() {
    return perPartitionLimit == Limits.NO_LIMIT
        ? Limits.NO_LIMIT
        : Math.max(1, perPartitionLimit - givenBefore);
  }

  /** Whether earlier pages returned rows of the only partition of the next read. */
  boolean isResumed() {
    return givenBefore > 0;
  }

  /** Rows remaining until LIMIT. */
  int remaining() {
    return remaining;
  }

  /** Rows of the partition returned so far, by this page and earlier ones. */
  int givenInPartition() {
    return givenInPartition;
  }
}
