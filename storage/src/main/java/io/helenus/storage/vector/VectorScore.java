package io.helenus.storage.vector;

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
  private final float[] vector;
  private final ComparedVector query;

  /** Compares with a vector in the form in which rows have it. */
  public VectorScore(VectorOptions options, MemorySegment vector, long offset, int length) {
    if (length != Float.BYTES * options.dimension()) {
      throw new IllegalArgumentException(
          "a vector of " + length + " bytes where " + options.dimension() + " floats are expected");
    }
    similarity = options.similarity();
    this.vector = new float[options.dimension()];
    read(vector, offset, this.vector);
    float squared = squaredLength(this.vector);
    if (!isComparable(similarity, squared)) {
      throw new IllegalArgumentException("a vector that has no similarity to any other");
    }
    query = new ComparedVector(similarity, options.dimension());
    query.set(this.vector, squared);
  }

  /** Reads the floats of a vector in the form in which rows have it. */
  public static void read(MemorySegment vector, long offset, float[] into) {
    MemorySegment.copy(vector, STORED, offset, into, 0, into.length);
  }

  /** The square of a vector's length, which is stored with it. */
  public static float squaredLength(float[] vector) {
    return ComparedVector.dotProduct(vector, vector);
  }

  /** Whether a vector of a squared length has a similarity to others. */
  public static boolean isComparable(Similarity similarity, float squaredLength) {
    return Float.isFinite(squaredLength) && (similarity != Similarity.COSINE || squaredLength > 0);
  }

  /** The number of floats of a vector. */
  public int dimension() {
    return vector.length;
  }

  /** The same for the vectors of a graph. */
  GraphScore of(GraphScore.Vectors vectors) {
    return Jvector.score(similarity, vector, squaredLength(vector), vectors);
  }

  /** The same for codes. */
  CodeScore of(VectorCodes codes) {
    return new CodeScore(similarity, vector, squaredLength(vector), codes);
  }

  /** The score of a vector; greater is nearer. */
  public float of(float[] other, float squaredLength) {
    return query.score(other, squaredLength);
  }

  /** The score for a squared distance, with EUCLIDEAN, or a dot product. */
  static float score(Similarity similarity, float compared, float aSquared, float bSquared) {
    return switch (similarity) {
      case COSINE -> (1 + (float) (compared / Math.sqrt((double) aSquared * bSquared))) / 2;
      case EUCLIDEAN -> 1 / (1 + compared);
      case DOT_PRODUCT -> (1 + compared) / 2;
    };
  }
}
