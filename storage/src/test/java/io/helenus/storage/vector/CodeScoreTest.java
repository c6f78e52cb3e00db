package io.helenus.storage.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.IndexDescriptor.Similarity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scores by codes, and their bounds, compared with those of the vectors. */
class CodeScoreTest {
  private static final int[] DIMENSIONS = {64, 100, 384, 1537, 8192};

  private final Random random = new Random(4);

  private float[] vector(int dimension, double length) {
    return TestVectors.vector(random, dimension, length);
  }

  private static float[] sum(float[] a, float[] b) {
    float[] sum = new float[a.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = a[i] + b[i];
    }
    return sum;
  }

  private static float exact(Similarity similarity, float[] a, float[] b) {
    ComparedVector compared = new ComparedVector(similarity, a.length);
    compared.set(a, VectorScore.squaredLength(a));
    return compared.score(b, VectorScore.squaredLength(b));
  }

  /** Codes in memory. */
  private static VectorCodes codes(Similarity similarity, float[] mean, List<float[]> vectors) {
    return new VectorCodes() {
      @Override
      public float[] mean() {
        return mean;
      }

      @Override
      public void read(int ordinal, VectorCode into) {
        float[] vector = vectors.get(ordinal);
        float squared = VectorScore.squaredLength(vector);
        into.set(vector, VectorCode.factor(similarity, squared), mean);
      }

      @Override
      public void readAhead(int ordinal) {}
    };
  }

  @ParameterizedTest
  @EnumSource
  void noScoreExceedsItsBound(Similarity similarity) {
    for (int dimension : DIMENSIONS) {
      for (double length : TestVectors.LENGTHS) {
        float[] query = vector(dimension, length);
        List<float[]> vectors = new ArrayList<>();
        vectors.add(query);
        for (double apart = 1e-6; apart < 3; apart *= 2) {
          vectors.add(sum(query, vector(dimension, apart * length)));
          vectors.add(vector(dimension, apart * length));
        }
        float[] spike = vector(dimension, length / 1000);
        spike[dimension / 2] = (float) length;
        vectors.add(spike);
        if (similarity != Similarity.COSINE) {
          vectors.add(new float[dimension]);
        }
        double unit = similarity == Similarity.COSINE ? 1 : length;
        for (float[] mean :
            List.of(
                new float[dimension], vector(dimension, unit / 2), vector(dimension, 3 * unit))) {
          CodeScore score =
              new CodeScore(
                  similarity,
                  query,
                  VectorScore.squaredLength(query),
                  codes(similarity, mean, vectors));
          for (int i = 0; i < vectors.size(); i++) {
            float exact = exact(similarity, query, vectors.get(i));
            String about = dimension + " dimensions, length " + length + ", vector " + i;
            assertTrue(score.atMost(i) >= exact, about);
            assertTrue(score.atMost(i) >= score.of(i), about);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void scoresAndBoundsAreNear(Similarity similarity) {
    float[] mean = vector(384, 0.3);
    float[] query = sum(mean, vector(384, 1));
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      vectors.add(sum(mean, sum(vector(384, 1), vector(384, i / 30.0))));
    }
    CodeScore score =
        new CodeScore(
            similarity, query, VectorScore.squaredLength(query), codes(similarity, mean, vectors));
    for (int i = 0; i < vectors.size(); i++) {
      float exact = exact(similarity, query, vectors.get(i));
      assertEquals(exact, score.of(i), 0.003, "vector " + i);
      assertEquals(exact, score.atMost(i), 0.03, "vector " + i);
    }
  }
}
