package io.helenus.server.generated;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Pseudorandom choices: the same seed yields the same choices. Not thread-safe. */
public final class Choices {
  private final Random random;

  public Choices(long seed) {
    random = new Random(seed);
  }

  /** A number from 0 to the bound (exclusive). */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns true with the given probability in percent. */
  public boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  public <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  public String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** A random selection of at least one and at most that many elements, in random order. */
  <T> List<T> someOf(List<T> choices, int atMost) {
    List<T> rest = shuffled(choices);
    return rest.subList(0, 1 + random.nextInt(Math.min(atMost, rest.size())));
  }

  <T> List<T> shuffled(List<T> choices) {
    List<T> copy = new ArrayList<>(choices);
    for (int i = copy.size() - 1; i > 0; i--) {
      T moved = copy.get(i);
      int other = random.nextInt(i + 1);
      copy.set(i, copy.get(other));
      copy.set(other, moved);
    }
    return copy;
  }
}
