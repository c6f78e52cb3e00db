package io.helenus.copy.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The line that shows progress. */
class ProgressTest {
  private static String line(boolean terminal, long ranges, long before, int done) {
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    try (Progress progress = new Progress(out, terminal, ranges, before)) {
      progress.begin("copying k.t");
      progress.countRows(12_000);
      for (int i = 0; i < done; i++) {
        progress.countRange();
      }
      return progress.line(TimeUnit.SECONDS.toNanos(100));
    }
  }

  @Test
  void timeLeftFollowsFromTheRanges() {
    assertEquals("copying k.t 25 %, 12,000 rows, 120 rows/s, 5 min 0 s left", line(false, 4, 0, 1));
    assertEquals(
        "copying k.t 50 %, 12,000 rows, 120 rows/s, 1 min 40 s left", line(false, 4, 2, 1));
    assertEquals("copying k.t 0 %, 12,000 rows, 120 rows/s", line(false, 4, 0, 0));
    assertEquals(
        "copying k.t [######------------------] 25 %, 12,000 rows, 120 rows/s, 5 min 0 s left",
        line(true, 4, 0, 1));
  }
}
