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

  /** The sum without the compensation. */
  double plain() {
    return sum;
  }

  /** The compensated sum; infinite or NaN only if plain addition yields that. */
  double sum() {
    double result = sum + compensation;
    return Double.isNaN(result) && Double.isInfinite(simpleSum) ? simpleSum : result;
  }
}
