package io.helenus.storage.env.sim;

import io.helenus.storage.env.Randomness;

/** Random bits from a seed (SplitMix64), the same on every machine and JDK. One thread. */
public final class SimRandomness implements Randomness {
  private long state;

  /** A source with a seed. */
  public SimRandomness(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number in [0, bound). */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(nextLong() >>> 1, bound);
  }

  /** True with a probability in percent. */
  public boolean percent(int chance) {
    return below(100) < chance;
  }

  /** An independent source seeded from this one. */
  public SimRandomness split() {
    return new SimRandomness(nextLong());
  }
}
