package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.Clock;
import org.junit.jupiter.api.Test;

/** The clock is asked once in a number of steps, and decides. */
class TimeSliceTest {
  private long nanos;
  private int asked;

  private final TimeSlice slice =
      new TimeSlice(
          new Clock() {
            @Override
            public long wallMicros() {
              return 0;
            }

            @Override
            public long nanos() {
              asked++;
              return nanos;
            }
          },
          3);

  @Test
  void aSliceIsUpAfterItsTimeAtTheNextLookAtTheClock() {
    slice.begin();
    nanos = 199_999;
    assertFalse(isUpWithin(3), "not long enough");
    assertEquals(2, asked);
    nanos = 200_000;
    assertFalse(isUpWithin(2), "nobody looks");
    assertEquals(2, asked);
    assertTrue(slice.isUp());
    slice.begin();
    assertFalse(isUpWithin(3), "a new one");
  }

  /** Whether one of so many steps finds that the slice is up. */
  private boolean isUpWithin(int steps) {
    for (int i = 0; i < steps; i++) {
      if (slice.isUp()) {
        return true;
      }
    }
    return false;
  }
}
