package io.helenus.server.functions;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * How similar two vectors are: a number that is greater for more similar ones, and from 0 to 1
 * unless a dot product is of vectors longer than 1. Vectors are the wire bytes of their floats. All
 * is computed in floats, as in Cassandra, so that an ORDER BY and a selection agree.
 */
public enum VectorSimilarity {
  /** By the angle between the vectors. NaN if the length of one of them is 0 or not finite. */
  COSINE {
    @Override
    public float of(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int dimension) {
      float sum = 0;
      float first = 0;
      float second = 0;
      for (int i = 0; i < dimension; i++) {
        float x = element(a, aOffset, i);
        float y = element(b, bOffset, i);
        sum += x * y;
        first += x * x;
        second += y * y;
      }
      return (1 + (float) (sum / Math.sqrt((double) first * second))) / 2;
    }
  },
  /** By the distance between the vectors. */
  EUCLIDEAN {
    @Override
    public float of(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int dimension) {
      float sum = 0;
      for (int i = 0; i < dimension; i++) {
        float difference = element(a, aOffset, i) - element(b, bOffset, i);
        sum += difference * difference;
      }
      return 1 / (1 + sum);
    }
  },
  /** By the dot product of the vectors. */
  DOT_PRODUCT {
    @Override
    public float of(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int dimension) {
      float sum = 0;
      for (int i = 0; i < dimension; i++) {
        sum += element(a, aOffset, i) * element(b, bOffset, i);
      }
      return (1 + sum) / 2;
    }
  };

  /** Compares two vectors, which start at these offsets. */
  public abstract float of(
      MemorySegment a, long aOffset, MemorySegment b, long bOffset, int dimension);

  /** Why a vector can be compared with none; null if it can. */
  public @Nullable String objection(MemorySegment vector, long offset, int dimension) {
    for (int i = 0; i < dimension; i++) {
      float x = element(vector, offset, i);
      if (!Float.isFinite(x)) {
        return "element " + i + " is " + x;
      }
    }
    if (this != COSINE) {
      return null;
    }
    float square = square(vector, offset, dimension);
    return square == 0
        ? "its length is 0, so that it has no direction"
        : Float.isFinite(square) ? null : "its length is too large for cosine similarity";
  }

  /** The square of the length of a vector. */
  public static float square(MemorySegment vector, long offset, int dimension) {
    float sum = 0;
    for (int i = 0; i < dimension; i++) {
      float x = element(vector, offset, i);
      sum += x * x;
    }
    return sum;
  }

  private static float element(MemorySegment vector, long offset, int index) {
    return Float.intBitsToFloat(Bytes.getInt(vector, offset + 4L * index));
  }
}
