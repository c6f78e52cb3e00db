package io.helenus.storage.nearest;

/**
 * How many candidates are searched for at once. Pure.
 *
 * @param wanted how many rows are wanted
 * @param likelyShare which share of the candidates is likely to be kept, before the first batch
 */
record BatchSizes(int wanted, double likelyShare) {
  private static final int SMALLEST = 16;
  private static final int LARGEST = 4096;

  /**
   * How many candidates are likely to be enough.
   *
   * @param passed how many the batches before had
   * @param kept how many of these have been kept
   */
  int next(int passed, int kept) {
    if (passed == 0) {
      // two standard deviations more than are enough on average
      long likely =
          likelyShare == 1
              ? wanted + wanted / 2
              : (long) ((wanted + 2 * Math.sqrt(wanted)) / likelyShare);
      return Math.clamp(likely, SMALLEST, LARGEST);
    }
    double share = Math.min(1, (kept + 1.0) / passed);
    long likely = (long) (1.2 * (wanted - kept) / share);
    return Math.clamp(Math.max(likely, passed / 2), SMALLEST, LARGEST);
  }
}
