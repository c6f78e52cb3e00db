package io.helenus.storage.vector;

import io.helenus.storage.engine.IndexDescriptor.Similarity;

/**
 * A short form of a vector, to compare it at little cost: a byte for each of its numbers, relative
 * to the mean of the vectors of its file. The vector is about {@code mean + scale · digits}; with
 * the similarity COSINE, the vector of length 1 with its direction is. Reusable. One thread.
 */
final class VectorCode {
  private static final int LARGEST_DIGIT = Byte.MAX_VALUE;

  final byte[] digits;
  float scale;

  /** The square of the length of {@code scale · digits}. */
  float squaredLength;

  /** The length of what the digits leave out: how far the vector is from what they stand for. */
  float rest;

  VectorCode(int dimension) {
    digits = new byte[dimension];
  }

  /** What the numbers of a vector are multiplied with before anything else. */
  static float factor(Similarity similarity, float squaredLength) {
    return similarity == Similarity.COSINE ? (float) (1 / Math.sqrt(squaredLength)) : 1;
  }

  /** Becomes the code of a vector. */
  void set(float[] vector, float factor, float[] mean) {
    float largest = 0;
    for (int i = 0; i < digits.length; i++) {
      largest = Math.max(largest, Math.abs(vector[i] * factor - mean[i]));
    }
    scale = largest / LARGEST_DIGIT;
    double squared = 0;
    double left = 0;
    for (int i = 0; i < digits.length; i++) {
      double exact = (double) vector[i] * factor - mean[i];
      int digit = scale == 0 ? 0 : (int) Math.rint(exact / scale);
      digits[i] = (byte) Math.clamp(digit, -LARGEST_DIGIT, LARGEST_DIGIT);
      double kept = (double) scale * digits[i];
      squared += kept * kept;
      left += (exact - kept) * (exact - kept);
    }
    squaredLength = (float) Math.min(squared, Float.MAX_VALUE);
    rest = (float) Math.min(Math.sqrt(left), Float.MAX_VALUE);
  }
}
