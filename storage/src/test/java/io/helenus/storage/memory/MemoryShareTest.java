package io.helenus.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a share counts, and when it refuses. */
class MemoryShareTest {
  @Test
  void refusesWhatExceedsTheLimitAndCountsTheRefusal() {
    MemoryShare share = new MemoryShare(100);
    assertTrue(share.tryTake(60));
    assertFalse(share.tryTake(41));
    assertEquals(60, share.usedBytes());
    assertEquals(1, share.refusals());
    assertTrue(share.tryTake(40));
    share.giveBack(100);
    assertEquals(0, share.usedBytes());
    assertEquals(100, share.highWaterBytes());
  }

  @Test
  void whatWasAdmittedBeforeMayExceedTheLimit() {
    MemoryShare share = new MemoryShare(100);
    share.take(150);
    assertEquals(150, share.highWaterBytes());
    assertFalse(share.tryTake(1));
    share.giveBack(150);
    assertTrue(share.tryTake(1));
  }

  @Test
  void anUnlimitedShareTakesEverything() {
    MemoryShare share = MemoryShare.unlimited();
    assertTrue(share.tryTake(1L << 50));
    assertTrue(share.tryTake(1L << 50));
  }

  @Test
  void anAttemptThatIsTooLargeDisturbsNoOther() throws InterruptedException {
    MemoryShare share = new MemoryShare(1_000);
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean large = i % 2 == 0;
      threads.add(
          new Thread(
              () -> {
                for (int round = 0; round < 20_000; round++) {
                  if (large) {
                    assertFalse(share.tryTake(1_001));
                  } else if (share.tryTake(10)) {
                    share.giveBack(10);
                  } else {
                    refused.incrementAndGet();
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, refused.get());
    assertEquals(0, share.usedBytes());
    assertEquals(40_000, share.refusals());
    assertTrue(share.highWaterBytes() <= 20);
  }
}
