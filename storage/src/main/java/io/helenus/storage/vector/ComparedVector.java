package io.helenus.storage.vector;

import io.helenus.storage.engine.IndexDescriptor.Similarity;

/**
 * A vector that is compared with many others, in plain Java. The JIT compiler makes vector
 * instructions of sums of integers, but not of those of floats, whose order it must not change. So
 * a dot product is a sum of integers: each product of two elements is scaled so that the dot
 * product of the vectors is at most 2³⁰, and cut to an integer. For n dimensions the error is below
 * n · 2⁻³⁰ of the product of the lengths, about that of a sum of floats. A distance remains a sum
 * of floats: the squares of near vectors would be cut to zeros.
 *
 * <p>Equal vectors have exactly the same score. Reusable. One thread.
 */
final class ComparedVector {
  private static final float SCALE = 1 << 30;

  private final Similarity similarity;

  /** The vector; with length 1, unless it is compared by distance. */
  private final float[] vector;

  private float length;

  ComparedVector(Similarity similarity, int dimension) {
    this.similarity = similarity;
    vector = new float[dimension];
  }

  /** Compares this vector from now on. */
  void set(float[] values, float squaredLength) {
    length = (float) Math.sqrt(squaredLength);
    float factor = similarity == Similarity.EUCLIDEAN ? 1 : 1 / length;
    for (int i = 0; i < vector.length; i++) {
      vector[i] = values[i] * factor;
    }
  }

  /** The score of another vector; greater is nearer. */
  float score(float[] other, float squaredLength) {
    if (similarity == Similarity.EUCLIDEAN) {
      return 1 / (1 + squaredDistance(vector, other));
    }
    float otherLength = (float) Math.sqrt(squaredLength);
    float cosine = scaledProduct(vector, SCALE / otherLength, other) / SCALE;
    return (1 + (similarity == Similarity.COSINE ? cosine : cosine * length * otherLength)) / 2;
  }

  private static int scaledProduct(float[] a, float factor, float[] b) {
    int sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (int) (a[i] * factor * b[i]);
    }
    return sum;
  }

  // four sums, so that an addition need not wait for the one before it

  static float dotProduct(float[] a, float[] b) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    int end = a.length & -4;
    for (; i < end; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < a.length; i++) {
      s0 += a[i] * b[i];
    }
    return s0 + s1 + (s2 + s3);
  }

  private static float squaredDistance(float[] a, float[] b) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    int end = a.length & -4;
    for (; i < end; i += 4) {
      float d0 = a[i] - b[i];
      float d1 = a[i + 1] - b[i + 1];
      float d2 = a[i + 2] - b[i + 2];
      float d3 = a[i + 3] - b[i + 3];
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    for (; i < a.length; i++) {
      float d = a[i] - b[i];
      s0 += d * d;
    }
    return s0 + s1 + (s2 + s3);
  }
}
