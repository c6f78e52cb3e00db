package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which plain writes a barrier waits for. */
class PlainWriteBarrierTest {
  private final PlainWriteBarrier barrier = new PlainWriteBarrier();

  @Test
  void aWriteThatBeganBeforeIsWaitedFor() {
    int write = barrier.begin();
    barrier.raise();
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(write), "the last write lifts it");
    assertFalse(barrier.isUp());
  }

  @Test
  void aWriteThatBeganAfterwardsIsNotWaitedFor() {
    int before = barrier.begin();
    barrier.raise();
    int after = barrier.begin();
    assertTrue(barrier.end(before), "although the other one goes on");
    assertFalse(barrier.isUp());
    assertFalse(barrier.end(after));
  }

  @Test
  void theEndOfALaterWriteDoesNotLiftIt() {
    int before = barrier.begin();
    barrier.raise();
    int after = barrier.begin();
    assertFalse(barrier.end(after));
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(before));
  }

  @Test
  void allWritesThatBeganBeforeAreWaitedFor() {
    int first = barrier.begin();
    int second = barrier.begin();
    barrier.raise();
    assertFalse(barrier.end(second));
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(first));
  }

  @Test
  void withoutWritesThereIsNothingToWaitFor() {
    barrier.raise();
    assertFalse(barrier.isUp());
    assertFalse(barrier.end(barrier.begin()));
    barrier.raise();
    assertFalse(barrier.isUp());
  }

  @Test
  void aSecondBarrierWaitsForTheWritesSinceTheFirst() {
    int first = barrier.begin();
    barrier.raise();
    int second = barrier.begin();
    barrier.raise();
    int third = barrier.begin();
    assertFalse(barrier.end(first), "the second write is waited for too");
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(second), "although the third goes on");
    assertFalse(barrier.end(third));
  }

  @Test
  void aSecondBarrierIsLiftedByWhicheverWriteEndsLast() {
    int first = barrier.begin();
    barrier.raise();
    int second = barrier.begin();
    barrier.raise();
    assertFalse(barrier.end(second));
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(first));
  }

  @Test
  void aBarrierCanBeRaisedAgainAfterItWasLifted() {
    int first = barrier.begin();
    barrier.raise();
    int second = barrier.begin();
    assertTrue(barrier.end(first));
    barrier.raise();
    assertTrue(barrier.isUp());
    assertTrue(barrier.end(second));
  }

  @Test
  void aWriteCannotEndThatHasNotBegun() {
    assertThrows(IllegalStateException.class, () -> barrier.end(0));
    assertThrows(IllegalStateException.class, () -> barrier.end(1));
    assertThrows(IllegalStateException.class, () -> barrier.end(-1));
    int write = barrier.begin();
    barrier.raise();
    assertTrue(barrier.end(write));
    assertThrows(IllegalStateException.class, () -> barrier.end(write), "it has ended already");
  }

  /** A write, and how many barriers had been raised when it began. */
  private record Write(int generation, int raised) {}

  @Test
  void itIsUpExactlyWhileAWriteFromBeforeTheLastBarrierGoesOn() {
    Random random = new Random(7);
    List<Write> inProgress = new ArrayList<>();
    int raised = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean wasUp = barrier.isUp();
      boolean lifted = false;
      int choice = random.nextInt(10);
      if (choice == 0) {
        barrier.raise();
        raised++;
      } else if (choice < 5 || inProgress.isEmpty()) {
        inProgress.add(new Write(barrier.begin(), raised));
      } else {
        Write ended = inProgress.remove(random.nextInt(inProgress.size()));
        lifted = barrier.end(ended.generation());
      }
      int last = raised;
      boolean up = inProgress.stream().anyMatch(write -> write.raised() < last);
      assertTrue(up == barrier.isUp() && lifted == (wasUp && !up), "after step " + i);
    }
  }
}
