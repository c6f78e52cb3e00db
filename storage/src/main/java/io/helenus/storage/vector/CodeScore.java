package io.helenus.storage.vector;

import io.helenus.storage.engine.IndexDescriptor.Similarity;

/**
 * Compares a vector with codes. That takes a third of the time that it takes with vectors, most of
 * which is spent on loading them. Products of floats and bytes are summed as integers: the JIT
 * compiler makes vector instructions of that, but not of sums of products of bytes. Digits leave
 * out some of a vector, so a score is only about right; but there is a bound for the exact one. One
 * thread.
 */
final class CodeScore {
  private static final float LARGEST_SUM = 1 << 30;

  private final Similarity similarity;
  private final VectorCodes codes;
  private final VectorCode code;

  /** The vector, scaled so that no sum of products with digits exceeds {@link #LARGEST_SUM}. */
  private final float[] weights;

  /** What a sum is multiplied with, and the scale of a code, to get a dot product. */
  private final double unit;

  /** The vector's length: for COSINE 1, for EUCLIDEAN its distance from the mean. */
  private final double length;

  private final double productWithMean;
  private final double meanLength;

  /** How far sums of floats may be off, per product of the lengths. */
  private final double rounding;

  CodeScore(Similarity similarity, float[] vector, float squaredLength, VectorCodes codes) {
    this.similarity = similarity;
    this.codes = codes;
    int dimension = vector.length;
    code = new VectorCode(dimension);
    float[] mean = codes.mean();
    float factor = VectorCode.factor(similarity, squaredLength);
    double[] compared = new double[dimension];
    double squared = 0;
    double product = 0;
    double meanSquared = 0;
    for (int i = 0; i < dimension; i++) {
      compared[i] = (double) vector[i] * factor;
      product += compared[i] * mean[i];
      meanSquared += (double) mean[i] * mean[i];
      if (similarity == Similarity.EUCLIDEAN) {
        compared[i] -= mean[i];
      }
      squared += compared[i] * compared[i];
    }
    length = Math.sqrt(squared);
    productWithMean = product;
    meanLength = Math.sqrt(meanSquared);
    rounding = dimension * 0x1p-24 + 1e-6;
    double scaled = LARGEST_SUM / (length * Byte.MAX_VALUE * Math.sqrt(dimension));
    weights = new float[dimension];
    if (length > 0) {
      for (int i = 0; i < dimension; i++) {
        weights[i] = (float) (compared[i] * scaled);
      }
      unit = 1 / scaled;
    } else {
      unit = 0;
    }
  }

  /** Prepares for a code that is compared soon. */
  void readAhead(int ordinal) {
    codes.readAhead(ordinal);
  }

  /** About the score of a vector. */
  float of(int ordinal) {
    double product = product(ordinal);
    if (similarity == Similarity.EUCLIDEAN) {
      double squaredDistance = length * length + code.squaredLength - 2 * product;
      return (float) (1 / (1 + Math.max(0, squaredDistance)));
    }
    return (float) ((1 + productWithMean + product) / 2);
  }

  /** What the score of a vector does not exceed. */
  float atMost(int ordinal) {
    double product = product(ordinal);
    // each of the products was cut to an integer
    double cut = weights.length * unit * code.scale;
    double kept = Math.sqrt(code.squaredLength);
    double score;
    if (similarity == Similarity.EUCLIDEAN) {
      double error = 2 * cut + rounding * (length * length + code.squaredLength);
      double squared = length * length + code.squaredLength - 2 * product - error;
      double distance = (Math.sqrt(Math.max(0, squared)) - code.rest * (1 + 1e-6)) * (1 - rounding);
      score = distance > 0 ? 1 / (1 + distance * distance) : 1;
    } else {
      double error = length * code.rest + cut + rounding * length * (meanLength + kept + code.rest);
      score = (1 + productWithMean + product + error) / 2;
    }
    return (float) (score + Math.abs(score) * 1e-6);
  }

  /** Reads a code and returns the dot product of what is compared and the digits, scaled. */
  private double product(int ordinal) {
    codes.read(ordinal, code);
    return unit * code.scale * sum(weights, code.digits);
  }

  private static int sum(float[] weights, byte[] digits) {
    int sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += (int) (weights[i] * digits[i]);
    }
    return sum;
  }
}
