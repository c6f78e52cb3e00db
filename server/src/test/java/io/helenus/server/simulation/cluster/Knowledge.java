package io.helenus.server.simulation.cluster;

/** How many replicas are known to have something, and since when. */
final class Knowledge {
  private long[] sinceNanos = new long[0];

  /** It is known that this many replicas have it from a moment on. */
  void atLeast(int replicas, long nanos) {
    if (replicas > sinceNanos.length) {
      long[] more = new long[replicas];
      java.util.Arrays.fill(more, nanos);
      System.arraycopy(sinceNanos, 0, more, 0, sinceNanos.length);
      sinceNanos = more;
    }
  }

  /** How many replicas are known to have had it at a moment. */
  int at(long nanos) {
    int replicas = sinceNanos.length;
    while (replicas > 0 && sinceNanos[replicas - 1] > nanos) {
      replicas--;
    }
    return replicas;
  }
}
