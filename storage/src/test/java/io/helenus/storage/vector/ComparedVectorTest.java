package io.helenus.storage.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.IndexDescriptor.Similarity;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Scores compared with those in doubles. */
class ComparedVectorTest {
  private static final int[] DIMENSIONS = {1, 2, 3, 7, 16, 100, 384, 1537, 8192};

  private final Random random = new Random(3);

  private float[] vector(int dimension, double length) {
    return TestVectors.vector(random, dimension, length);
  }

  /** A vector with a cosine of about 1 to 0.3 to another one. */
  private float[] near(float[] vector) {
    float[] near = vector(vector.length, length(vector) * 3 * random.nextDouble());
    for (int i = 0; i < near.length; i++) {
      near[i] += vector[i];
    }
    return near;
  }

  private static double length(float[] vector) {
    return Math.sqrt(dotProduct(vector, vector));
  }

  private static double dotProduct(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static double squaredDistance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return sum;
  }

  private static float score(Similarity similarity, float[] a, float[] b) {
    ComparedVector compared = new ComparedVector(similarity, a.length);
    compared.set(a, VectorScore.squaredLength(a));
    return compared.score(b, VectorScore.squaredLength(b));
  }

  @Test
  void scoresAreThoseOfDoubles() {
    for (int dimension : DIMENSIONS) {
      for (double length : TestVectors.LENGTHS) {
        for (int i = 0; i < 20; i++) {
          float[] a = vector(dimension, length);
          float[] b = i % 2 == 0 ? near(a) : vector(dimension, length);
          double lengths = length(a) * length(b);
          double cosine = dotProduct(a, b) / lengths;
          double error = dimension / (double) (1 << 30) + 1e-6;
          String about = dimension + " dimensions, length " + length;
          assertEquals((1 + cosine) / 2, score(Similarity.COSINE, a, b), error / 2, about);
          double dot = score(Similarity.DOT_PRODUCT, a, b);
          assertEquals((1 + cosine * lengths) / 2, dot, error * Math.max(1, lengths) / 2, about);
          double distance = 1 / (1 + squaredDistance(a, b));
          assertEquals(distance, score(Similarity.EUCLIDEAN, a, b), 1e-4 * distance, about);
        }
      }
    }
  }

  @Test
  void nearVectorsAreToldApart() {
    float[] a = vector(384, 1);
    double lastCosine = 2;
    float last = 2;
    int reported = 0;
    for (double apart = 0.001; apart < 1; apart *= 1.02) {
      float[] b = vector(384, apart);
      for (int i = 0; i < b.length; i++) {
        b[i] += a[i];
      }
      double cosine = dotProduct(a, b) / length(a) / length(b);
      float score = score(Similarity.COSINE, a, b);
      if (lastCosine - cosine > 3e-7) {
        assertTrue(score < last, apart + " apart");
        reported++;
      }
      lastCosine = cosine;
      last = score;
    }
    assertTrue(reported > 200, reported + " of 350");
  }

  @Test
  void aDotProductWithNothingIsZero() {
    float[] none = new float[5];
    float[] some = vector(5, 3);
    float[] tiny = {1e-30f, 1e-30f, 0, 0, 0}; // the square of its length is 0
    for (float[] each : new float[][] {none, some, tiny}) {
      assertEquals(0.5f, score(Similarity.DOT_PRODUCT, none, each));
      assertEquals(0.5f, score(Similarity.DOT_PRODUCT, each, none));
      assertEquals(0.5f, score(Similarity.DOT_PRODUCT, tiny, each));
      assertEquals(0.5f, score(Similarity.DOT_PRODUCT, each, tiny));
    }
  }
}
