package io.helenus.server.modelling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate: 200/day per user_id, rows of 1 KB | 200 | 1000",
        "rate: 2/s per user_id | 172800 | 0",
        "rate: 1_000/hour per user_id, rows of 2.5 KB | 24000 | 2500",
        "Rate: 5k/minute per user_id, rows of 90 bytes. | 7200000 | 90",
        "rate: 7 rows/week per user_id, rows of 2 MB | 1 | 2000000",
        "rate: 3 messages a day per user_id | 3 | 0",
      })
  void unitsAndSizesAreRead(String comment, double rowsADay, int bytes) {
    Rate rate = Rate.parse(comment);
    assertNotNull(rate, comment);
    assertEquals(rowsADay, rate.rowsADay(), 1e-6);
    assertEquals(bytes, rate.rowBytes());
    assertEquals(List.of("user_id"), rate.per());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate: 1/day per (a, \"B c\")",
        "rate: 1/day per A and \"B c\"",
        "rate: 1/day per a, \"B c\", rows of 1 KB"
      })
  void severalColumnsAreRead(String comment) {
    Rate rate = Rate.parse(comment);
    assertNotNull(rate, comment);
    assertEquals(List.of("a", "B c"), rate.per());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate: 200/day",
        "rate: 200 per user_id",
        "rate: many/day per user_id",
        "rate: 200/fortnight per user_id",
        "rate: 0/day per user_id",
        "rate: 200/day per user id",
        "rate: 200/day per user_id, rows of 1 GB",
        "rate: 200/day per user_id rows of 1 KB",
      })
  void whatIsNotARateIsRefused(String comment) {
    assertNull(Rate.parse(comment), comment);
  }

  @Test
  void bucketsAreRead() {
    assertEquals(
        new StatedBucket("shard", 16, Double.POSITIVE_INFINITY),
        StatedBucket.parse("bucket: shard, 16 values"));
    assertEquals(new StatedBucket("w", 1, 10), StatedBucket.parse("bucket: w, 10 days"));
    assertEquals(new StatedBucket("W", 1, 31), StatedBucket.parse("Bucket: \"W\", 1 month"));
    assertNull(StatedBucket.parse("bucket: shard"));
    assertNull(StatedBucket.parse("bucket: shard, 0 values"));
    assertNull(StatedBucket.parse("bucket: shard, 3 moons"));
  }
}
