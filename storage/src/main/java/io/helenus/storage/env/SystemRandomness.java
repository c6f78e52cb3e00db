package io.helenus.storage.env;

import java.util.concurrent.ThreadLocalRandom;

/** The platform's random numbers; not for secrets. Any thread. */
public final class SystemRandomness implements Randomness {
  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }
}
