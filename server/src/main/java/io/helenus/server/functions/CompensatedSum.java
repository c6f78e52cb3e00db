package io.helenus.server.functions;

/**
 * A compensated sum of floating-point numbers that tracks the rounding error, as Cassandra computes
 * it, and adds it at the end. One thread at a time.
 */
final class CompensatedSum {
  private double sum;
  private double compensation;
  private double simpleSum;

  void reset() {
    sum = 0;
    compensation = 0;
    simpleSum = 0;
  }

  void add(double value) {
    simpleSum += value;
    double corrected = value - compensation;
    double next = sum + corrected;
    compensation = (next - sum) - corrected;
    sum = next;
  }

  /** The sum without what is carried along. */
  double plain() {
    return sum;
  }

  /** The sum; infinite or not a number only where simple adding gives that. */
  double sum() {
    double result = sum + compensation;
    return Double.isNaN(result) && Double.isInfinite(simpleSum) ? simpleSum : result;
  }
}
