package io.helenus.storage.vector;

import io.github.jbellis.jvector.graph.similarity.DefaultSearchScoreProvider;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.vector.DefaultVectorizationProvider;
import io.github.jbellis.jvector.vector.VectorizationProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The library of graphs, which is loaded with the first graph that is built or searched. It
 * computes with the vector instructions of the processor if the JVM was started with the module
 * jdk.incubator.vector; else {@link ComparedVector} computes in its place. Any thread.
 */
final class Jvector {
  /** It reports its choice at level WARNING; the logger must not be collected before it does. */
  private static final Logger LOG = Logger.getLogger("io.github.jbellis.jvector.vector");

  private static final VectorizationProvider PROVIDER = load();

  private Jvector() {}

  private static VectorizationProvider load() {
    LOG.setLevel(Level.SEVERE);
    // its native library would compute on Java arrays through memory segments
    System.clearProperty("jvector.vectorization_provider");
    System.setProperty("jvector.enable_native_vectorization", "false");
    return VectorizationProvider.getInstance();
  }

  /** Whether it would compute in plain Java. */
  static boolean isPlain() {
    return PROVIDER instanceof DefaultVectorizationProvider;
  }

  /**
   * Compares a vector with those of a graph. Only here is a score made, because its class makes the
   * library choose how to compute.
   */
  static GraphScore score(
      Similarity similarity, float[] vector, float squared, GraphScore.Vectors vectors) {
    float[] other = new float[vector.length];
    return new GraphScore(similarity, vector, view(vector), squared, other, view(other), vectors);
  }

  /** The same for scores that are computed otherwise. */
  static SearchScoreProvider scores(ScoreFunction.ExactScoreFunction of) {
    return new DefaultSearchScoreProvider(of);
  }

  private static VectorFloat<?> view(float[] array) {
    return PROVIDER.getVectorTypeSupport().createFloatVector(array);
  }
}
