package io.helenus.storage.vector;

import io.github.jbellis.jvector.graph.similarity.DefaultSearchScoreProvider;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.vector.VectorUtil;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import org.jspecify.annotations.Nullable;

/**
 * Compares one vector with those of a graph. If the library has vector instructions it computes, in
 * the last digits otherwise than {@link VectorScore}, so that the scores are good for finding
 * vectors only. Reusable. One thread.
 */
final class GraphScore implements ScoreFunction.ExactScoreFunction {
  /** Supplies the vectors of a graph. */
  interface Vectors {
    /** Reads a vector; returns the square of its length. */
    float read(int node, float[] into);
  }

  private final Similarity similarity;
  private final Vectors vectors;
  private final float[] base;
  private final VectorFloat<?> baseView;
  private final float[] other;
  private final VectorFloat<?> otherView;
  private float baseSquared;

  /** Computes in place of the library if that has nothing better; else null. */
  private final @Nullable ComparedVector plain;

  /** Compares {@code base}, of which and of a buffer there is a view of the library. */
  GraphScore(
      Similarity similarity,
      float[] base,
      VectorFloat<?> baseView,
      float baseSquared,
      float[] other,
      VectorFloat<?> otherView,
      Vectors vectors) {
    this.similarity = similarity;
    this.base = base;
    this.baseView = baseView;
    this.baseSquared = baseSquared;
    this.other = other;
    this.otherView = otherView;
    this.vectors = vectors;
    plain = Jvector.isPlain() ? new ComparedVector(similarity, base.length) : null;
    compare();
  }

  private void compare() {
    if (plain != null) {
      plain.set(base, baseSquared);
    }
  }

  /** Compares with a vector of the graph from now on. */
  GraphScore base(int node) {
    baseSquared = vectors.read(node, base);
    compare();
    return this;
  }

  @Override
  public float similarityTo(int node) {
    float squared = vectors.read(node, other);
    if (plain != null) {
      return plain.score(other, squared);
    }
    float compared =
        similarity == Similarity.EUCLIDEAN
            ? VectorUtil.squareL2Distance(baseView, otherView)
            : VectorUtil.dotProduct(baseView, otherView);
    return VectorScore.score(similarity, compared, baseSquared, squared);
  }

  /** What the library wants of it. */
  SearchScoreProvider provider() {
    return new DefaultSearchScoreProvider(this);
  }
}
