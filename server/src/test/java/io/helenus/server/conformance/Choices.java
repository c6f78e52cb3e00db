package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Choices drawn from a seed: the same seed, the same choices. Not for several threads. */
final class Choices {
  private final Random random;

  Choices(long seed) {
    random = new Random(seed);
  }

  /** A number from 0 up to the bound, without it. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Whether something happens that does so in so many of a hundred cases. */
  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** A sublist in any order, of at least one and at most that many elements. */
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
