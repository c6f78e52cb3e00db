package io.helenus.storage.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.job.JobMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which compactions run at once. */
class JobMemoryTest {
  private final List<String> retried = new ArrayList<>();
  private final JobMemory memory = new JobMemory(100);

  private boolean enter(long bytes) {
    return memory.enter(bytes, () -> retried.add("" + bytes));
  }

  @Test
  void admitsWhatFits() {
    assertTrue(enter(60));
    assertTrue(enter(40));
    assertFalse(enter(1));
    assertEquals(List.of(), retried);
    memory.exit(60);
    assertEquals(List.of("1"), retried);
    assertTrue(enter(60));
  }

  @Test
  void oneMayAlwaysRun() {
    assertTrue(enter(1_000));
    assertFalse(enter(10));
    assertFalse(enter(1_000));
    memory.exit(1_000);
    assertEquals(List.of("10", "1000"), retried);
    assertTrue(enter(1_000));
  }

  @Test
  void hugeExpectationsDoNotOverflow() {
    JobMemory unlimited = new JobMemory(Long.MAX_VALUE);
    assertTrue(unlimited.enter(Long.MAX_VALUE / 2, () -> {}));
    assertTrue(unlimited.enter(Long.MAX_VALUE / 2, () -> {}));
    assertFalse(unlimited.enter(Long.MAX_VALUE / 2, () -> {}));
  }
}
