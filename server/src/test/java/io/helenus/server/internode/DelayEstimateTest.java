package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DelayEstimateTest {
  private static final long SECOND = 1_000_000;

  private final DelayEstimate delay = new DelayEstimate();

  @Test
  void whatExceedsTheFastestWayIsWaiting() {
    assertEquals(0, delay.waitedMicros(-5_000_000, 100));
    assertEquals(0, delay.waitedMicros(-4_999_950, 140));
    assertEquals(30, delay.waitedMicros(-4_999_900, 220));
    assertEquals(0, delay.waitedMicros(-4_999_800, 280));
  }

  /** A clock that is faster by 100 ppm gains 8.6 s a day. */
  @Test
  void theDriftOfClocksIsNotWaiting() {
    for (long now = 0; now < 100_000 * SECOND; now += SECOND) {
      long sent = now - now / 10_000;
      assertTrue(delay.waitedMicros(sent, now) <= 6_100);
    }
    for (long now = 100_000 * SECOND; now < 200_000 * SECOND; now += SECOND) {
      long sent = now + now / 10_000;
      assertTrue(delay.waitedMicros(sent, now) <= 6_100);
    }
  }

  @Test
  void timesThatMakeNoSenseAreBounded() {
    assertEquals(0, delay.waitedMicros(0, 0));
    for (long sent : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1}) {
      long waited = delay.waitedMicros(sent, 1);
      assertTrue(waited >= 0 && waited <= 3_600 * SECOND);
    }
  }
}
