package io.helenus.server.query.select;

/**
 * Counts the rows of an answer against LIMIT, PER PARTITION LIMIT and the page size; each of them
 * may be {@link Limits#NO_LIMIT}. Reused for each answer. One thread at a time.
 */
final class PageCounter {
  private int remaining;
  private int pageRemaining;
  private int perPartitionLimit;
  private int givenInPartition;
  private int givenBefore;
  private boolean limitReached;
  private boolean pageFull;

  /** Starts an answer. */
  void begin(SelectArguments arguments) {
    remaining = arguments.rowLimit();
    pageRemaining = arguments.pageSize();
    perPartitionLimit = arguments.perPartitionLimit();
    givenInPartition = 0;
    givenBefore = 0;
    limitReached = false;
    pageFull = false;
  }

  /** Earlier pages have given so many rows of the partition that comes next. */
  void resume(int given) {
    givenBefore = given;
  }

  /**
   * A partition begins.
   *
   * @return whether earlier pages have given rows of it
   */
  boolean beginPartition() {
    givenInPartition = givenBefore;
    givenBefore = 0;
    return givenInPartition > 0;
  }

  /** A read has ended: the next one begins with a new partition. */
  void endRead() {
    givenBefore = 0;
  }

  /**
   * Counts a row.
   *
   * @return whether it is the last one
   */
  boolean count() {
    givenInPartition++;
    if (remaining != Limits.NO_LIMIT && --remaining == 0) {
      limitReached = true;
      return true;
    }
    if (pageRemaining != Limits.NO_LIMIT && --pageRemaining == 0) {
      pageFull = true;
      return true;
    }
    return false;
  }

  /** Whether the partition has given all rows that it may. */
  boolean isPartitionFull() {
    return givenInPartition >= perPartitionLimit;
  }

  /** Whether the answer is a page. */
  boolean isPaged() {
    return pageRemaining != Limits.NO_LIMIT;
  }

  /** Whether the page was filled, by the row of the limit or before it. */
  boolean isPageFull() {
    return pageFull;
  }

  /** Whether no more rows are wanted. */
  boolean isOver() {
    return limitReached || pageFull;
  }

  /** Rows left of LIMIT. */
  int remaining() {
    return remaining;
  }

  /** Rows that the partition has given, in this page and earlier ones. */
  int givenInPartition() {
    return givenInPartition;
  }
}
