package io.helenus.storage.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  @Test
  void onlyTheStepsNeededForTheFailureRemain() {
    List<Integer> shrunk =
        Shrinker.shrink(
            numbers(300),
            Violation.LOST_WRITE,
            1_000,
            steps ->
                steps.containsAll(List.of(17, 18, 250))
                    ? new ViolationError(Violation.LOST_WRITE, "")
                    : null);
    assertEquals(List.of(17, 18, 250), shrunk);
  }

  @Test
  void candidatesThatFailDifferentlyAreRejected() {
    List<Integer> shrunk =
        Shrinker.shrink(
            numbers(8),
            Violation.LOST_WRITE,
            1_000,
            steps ->
                new ViolationError(
                    steps.contains(3) && steps.contains(5)
                        ? Violation.LOST_WRITE
                        : Violation.EXCEPTION,
                    ""));
    assertEquals(List.of(3, 5), shrunk);
  }

  @Test
  void theNumberOfTrialsIsBounded() {
    int[] trials = new int[1];
    List<Integer> shrunk =
        Shrinker.shrink(
            numbers(100),
            Violation.LOST_WRITE,
            10,
            steps -> {
              trials[0]++;
              return null;
            });
    assertEquals(10, trials[0]);
    assertEquals(100, shrunk.size());
  }
}
