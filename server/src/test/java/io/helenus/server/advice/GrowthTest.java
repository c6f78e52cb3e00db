package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowthTest {
  @ParameterizedTest
  @CsvSource({
    "0.0000001, 1 minute",
    "0.0104, 15 minutes",
    "0.0417, 1 hour",
    "0.6, 14 hours",
    "1, 24 hours",
    "2, 2 days",
    "59.4, 59 days",
    "60, 2 months",
    "729, 24 months",
    "730, 2 years",
    "36499, 100 years",
    "36500, more than a century"
  })
  void durationsAreRoundedToAUnitThatSaysEnough(double days, String text) {
    assertEquals(text, Growth.duration(days));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "999, 999 bytes",
    "1000, 1.0 KB",
    "9940, 9.9 KB",
    "10000, 10 KB",
    "17400000, 17 MB",
    "1000000000, 1.0 GB",
    "2.5e12, 2.5 TB",
    "3e18, 3000 PB"
  })
  void sizesHaveTwoDigitsOrMore(double bytes, String text) {
    assertEquals(text, Growth.size(bytes));
  }

  @Test
  void aPartitionPassesTheLimitThatComesFirst() {
    Growth small = new Growth(1_000, 20, 2);
    assertEquals(5_000, small.daysToBytes());
    assertEquals(50, small.daysToCells());
    assertEquals(50, small.daysToLimit());
    assertEquals(200_000, small.bytesAfter(10));
    Growth large = new Growth(1_000, 10_000, 1);
    assertEquals(10, large.daysToLimit());
    assertEquals(Growth.MOST_BYTES, large.bytesAfter(large.daysToLimit()));
  }
}
