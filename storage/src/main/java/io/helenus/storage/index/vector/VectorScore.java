package io.helenus.storage.index.vector;

import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How similar vectors are to a given one. Equal vectors have exactly the same score, wherever they
 * are stored. One thread at a time.
 */
public final class VectorScore {
  private static final ValueLayout.OfFloat STORED =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Similarity similarity;
  private final float[] query;
  private final float queryLength;

  /** Compares with a vector in the form in which rows have it. */
  public VectorScore(VectorOptions options, MemorySegment vector, long offset, int length) {
    if (length != Float.BYTES * options.dimension()) {
      throw new IllegalArgumentException(
          "a vector of " + length + " bytes where " + options.dimension() + " floats are expected");
    }
    similarity = options.similarity();
    query = new float[options.dimension()];
    read(vector, offset, query);
    queryLength = squaredLength(query);
    if (!isComparable(similarity, queryLength)) {
      throw new IllegalArgumentException("a vector that has no similarity to any other");
    }
  }

  /** Reads the floats of a vector in the form in which rows have it. */
  public static void read(MemorySegment vector, long offset, float[] into) {
    MemorySegment.copy(vector, STORED, offset, into, 0, into.length);
  }

  /** The square of a vector's length, which is stored with it. */
  public static float squaredLength(float[] vector) {
    return dotProduct(vector, vector);
  }

  /** Whether a vector of a squared length has a similarity to others. */
  public static boolean isComparable(Similarity similarity, float squaredLength) {
    return Float.isFinite(squaredLength) && (similarity != Similarity.COSINE || squaredLength > 0);
  }

  /** The number of floats of a vector. */
  public int dimension() {
    return query.length;
  }

  /** The same for the vectors of a graph. */
  GraphScore of(GraphScore.Vectors vectors) {
    return Jvector.score(similarity, query, queryLength, vectors);
  }

  /** The score of a vector; greater is nearer. */
  public float of(float[] vector, float squaredLength) {
    return between(similarity, query, queryLength, vector, squaredLength);
  }

  /** The score of two vectors with the squares of their lengths. */
  static float between(
      Similarity similarity, float[] a, float aSquared, float[] b, float bSquared) {
    float compared = similarity == Similarity.EUCLIDEAN ? squaredDistance(a, b) : dotProduct(a, b);
    return score(similarity, compared, aSquared, bSquared);
  }

  /** The score for a squared distance, with EUCLIDEAN, or a dot product. */
  static float score(Similarity similarity, float compared, float aSquared, float bSquared) {
    return switch (similarity) {
      case COSINE -> (1 + (float) (compared / Math.sqrt((double) aSquared * bSquared))) / 2;
      case EUCLIDEAN -> 1 / (1 + compared);
      case DOT_PRODUCT -> (1 + compared) / 2;
    };
  }

  // four sums, so that an addition need not wait for the one before it

  private static float dotProduct(float[] a, float[] b) {
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
