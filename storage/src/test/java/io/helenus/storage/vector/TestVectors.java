package io.helenus.storage.vector;

import java.util.Random;

/** Random vectors of given lengths. Stateless. */
final class TestVectors {
  /** Lengths whose squares are floats. */
  static final double[] LENGTHS = {1e-15, 1e-5, 1, 1000, 1e18};

  private TestVectors() {}

  static float[] vector(Random random, int dimension, double length) {
    double[] elements = new double[dimension];
    double squared = 0;
    for (int i = 0; i < dimension; i++) {
      elements[i] = random.nextGaussian();
      squared += elements[i] * elements[i];
    }
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) (elements[i] / Math.sqrt(squared) * length);
    }
    return vector;
  }
}
