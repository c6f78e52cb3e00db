package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations of COPY are masked in every format that cqlsh uses. */
class CqlshTranscriptTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.123 seconds",
        "0 day, 0 hour, 0 minute, and 1.013 seconds",
        "0 day, 0 hour, 1 minutes, and 1.013 seconds",
        "1 days, 2 hours, 3 minutes, and 59.999 seconds",
        "2 minutes and 0.500 seconds",
        "1 hour, 2 minutes, and 3.000 seconds"
      })
  void durationsAreBlottedOut(String duration) {
    assertEquals(
        "3 rows imported from 1 files in * seconds (0 skipped).",
        CqlshTranscript.mask("3 rows imported from 1 files in " + duration + " (0 skipped)."));
  }
}
